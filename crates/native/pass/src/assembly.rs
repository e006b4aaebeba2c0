//! Inline assembly: what goes in is made concrete, what it may write has no label, and threads are
//! told which memory it reads and writes.
//!
//! What it does is taken from its constraints, and where these leave it open from its text. An
//! operand of memory that only goes in may be written all the same (`lock; incl` with an input and
//! "memory" among what is destroyed is an old habit), so it counts as read only if each instruction
//! that names it has it as a source.

use crate::emitter::{Emitter, Label};
use crate::ir::Value;
use crate::llvm::attribute_kind;
use crate::touch::{self, REPLACES};
use elsewise_wire::map::SiteKind;
use elsewise_wire::threads::access;

/// What assembly touches behind a pointer of which nothing else is known.
const WORD: u32 = 8;

/// Beginnings of instructions that take addresses from registers without naming them.
const IMPLICIT: &[&str] = &[
    "movs", "stos", "lods", "cmps", "scas", "ins", "outs", "xlat", "int", "maskmov", "vmaskmov",
    "monitor", "umonitor", "clzero",
];

/// Memory that a statement touches.
struct Touched {
    address: Value,
    size: u64,
    writes: bool,
}

/// The text of a statement, and what its constraints say.
struct Statement {
    text: String,
    /// For each argument of the call: which operand of the text it is, and whether that goes out.
    arguments: Vec<(usize, bool)>,
    /// Does it say that it touches memory by more than its operands?
    any_memory: bool,
}

impl Statement {
    fn new(text: String, constraints: &str) -> Statement {
        let mut arguments = Vec::new();
        let operands = constraints
            .split(',')
            .filter(|constraint| !constraint.starts_with(['~', '!']));
        for (operand, constraint) in operands.enumerate() {
            let out = constraint.starts_with('=');
            // A result in a register is no argument.
            if !out || constraint.contains('*') {
                arguments.push((operand, out));
            }
        }
        Statement {
            any_memory: constraints.contains("~{memory}"),
            arguments,
            text,
        }
    }

    fn has(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }

    /// Instructions, as words and operands: without labels and prefixes.
    fn instructions(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let lines = self.text.split(['\n', ';']).map(str::trim);
        lines.filter_map(|line| {
            let mut rest = line;
            loop {
                let (word, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let prefix = matches!(word, "lock" | "rep" | "repz" | "repnz");
                if !prefix && !word.ends_with(':') {
                    return (!word.is_empty()).then(|| (word, operands_of(operands)));
                }
                rest = operands.trim_start();
            }
        })
    }

    /// Bytes that the instructions touch, as far as their names tell: the most of those with an
    /// address in brackets.
    fn width(&self) -> Option<u32> {
        let addresses = |operands: &[&str]| operands.iter().any(|operand| operand.contains('('));
        let instructions = self.instructions();
        let names = instructions.filter(|(_, operands)| addresses(operands));
        let widths = names.map(|(name, _)| match name.chars().last() {
            Some('b') => 1,
            Some('w') => 2,
            Some('l') => 4,
            _ => WORD,
        });
        widths.max()
    }

    /// May it go to memory by an address in a register? Else it touches none but its operands.
    fn follows_registers(&self) -> bool {
        let by_name = |(name, _): (&str, _)| IMPLICIT.iter().any(|start| name.starts_with(start));
        self.has(&["(", "[", "syscall", "call"]) || self.instructions().any(by_name)
    }

    /// Is memory only read that an operand of the text is, or is the address of? It need not be named
    /// where the compiler is told about it.
    fn only_reads(&self, is_named: impl Fn(&str) -> bool, is_address: bool) -> bool {
        // Variants for several assemblers, and whatever is done under a lock.
        if self.has(&["$(", "lock", "xchg", "xadd"]) {
            return false;
        }
        let mut named = !is_address;
        for (name, operands) in self.instructions() {
            for (place, text) in operands.iter().enumerate() {
                if !is_named(text) {
                    continue;
                }
                named = true;
                let source = place + 1 < operands.len();
                let compares = ["cmp", "test", "prefetch"];
                let compares = compares.iter().any(|start| name.starts_with(start));
                if name.starts_with("lea")
                    || !(source || compares)
                    || is_address && !text.contains('(')
                {
                    return false;
                }
            }
        }
        named
    }
}

/// Operands are separated by commas, but so are the parts of an address.
fn operands_of(text: &str) -> Vec<&str> {
    let mut operands = Vec::new();
    let (mut depth, mut from) = (0u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                operands.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    operands.push(text[from..].trim());
    operands
}

/// Does a text name the operand with this number, as `$1` or `${1:b}`?
fn names_operand(text: &str, operand: usize) -> bool {
    text.split('$').skip(1).any(|rest| {
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        rest[..end].parse() == Ok(operand)
    })
}

impl Emitter<'_> {
    pub fn assembly(&mut self, call: Value) {
        self.unhandled(call);
        let (text, constraints) = call.called().assembly();
        let statement = Statement::new(text, &constraints);
        let memory = self.memory_of_assembly(call, &statement);
        let given = self.pointers_of_assembly(call, &statement);
        let pointers: Vec<Value> = given.iter().map(|(pointer, _)| *pointer).collect();
        self.reaches(call, &pointers);
        let width = statement.width().unwrap_or(WORD);
        let words = given.into_iter().map(|(address, writes)| Touched {
            size: self.known_size(address).unwrap_or(width).min(width).into(),
            address,
            writes,
        });
        let words: Vec<Touched> = words.collect();
        self.touch_assembly(call, &statement, memory.iter().chain(&words));
        self.flush(call);
        self.ir.before(call);
        let site = self.sites.add(SiteKind::Value, call, Vec::new());
        let number = self.site_number(site);
        for Touched { address, size, .. } in memory {
            let (at, size) = (self.ir.as_i64(address), self.ir.const64(size));
            self.ir.call("__elw_assembly", None, &[number, at, size]);
        }
        for part in 0..self.parts(call) {
            self.set_part(call, part, Label::Ready(self.ir.const32(0)));
        }
    }

    /// Pointers that assembly has in registers and may follow, where it says that it touches memory by
    /// more than its operands; and whether it may write there.
    fn pointers_of_assembly(&self, call: Value, statement: &Statement) -> Vec<(Value, bool)> {
        let named = variables_named_in(&statement.text, call);
        let mut pointers = Vec::new();
        if statement.any_memory && statement.follows_registers() {
            let kind = attribute_kind("elementtype");
            for (index, argument) in call.arguments().into_iter().enumerate() {
                if argument.ty() == self.ir.ptr
                    && call.attribute(Some(index as u32), kind).is_none()
                {
                    let reads = statement.arguments.get(index).is_some_and(|(operand, _)| {
                        statement.only_reads(|text| names_operand(text, *operand), true)
                    });
                    pointers.push((argument, !reads));
                }
            }
        }
        for (name, variable) in named {
            let reads = statement.only_reads(|text| words(text).any(|word| word == name), false);
            pointers.push((variable, !reads));
        }
        pointers
    }

    /// Memory that assembly is given.
    fn memory_of_assembly(&self, call: Value, statement: &Statement) -> Vec<Touched> {
        let kind = attribute_kind("elementtype");
        let arguments = call.arguments().into_iter().enumerate();
        let pointers = arguments.filter(|(_, argument)| argument.ty() == self.ir.ptr);
        let sized = pointers.filter_map(|(index, address)| {
            let attribute = call.attribute(Some(index as u32), kind)?;
            let writes = match statement.arguments.get(index) {
                Some((operand, false)) => {
                    let reads = statement.only_reads(|text| names_operand(text, *operand), false);
                    statement.any_memory && !reads
                }
                _ => true,
            };
            Some(Touched {
                size: self.ir.size(attribute.ty()),
                address,
                writes,
            })
        });
        sized.collect()
    }

    /// Assembly is taken for an atomic of the memory that it touches: whoever writes it means one.
    fn touch_assembly<'a>(
        &mut self,
        call: Value,
        statement: &Statement,
        memory: impl Iterator<Item = &'a Touched>,
    ) {
        let Some(touches) = &mut self.touches else {
            return;
        };
        let several = touches.several;
        let memory = memory.map(|one| (one.address, one.size, one.writes));
        let mut seen: Vec<_> = memory.collect();
        // What is both given and taken is named twice: written comes first.
        seen.sort_by_key(|(address, _, writes)| (*address, !writes));
        seen.dedup_by_key(|(address, ..)| *address);
        seen.retain(|(address, ..)| !touches.is_private(*address));
        // What it does depends on more than its operands.
        let foreign = statement.has(&["rd", "cpuid", "getbv", "syscall", "call"]);
        let fences = statement.has(&["mfence", "lock", "xchg"]);
        if !foreign && !fences && seen.is_empty() {
            return;
        }
        let ir = self.ir;
        self.if_several(call, several, |number| {
            if foreign {
                let nothing = [number, ir.const64(0), ir.const64(0), ir.const32(0)];
                ir.call("__elw_touch", None, &nothing);
            }
            if fences {
                touch::fence(ir, number);
            }
            for (address, size, writes) in seen {
                let flags = access::ATOMIC
                    | access::ACQUIRES
                    | match writes {
                        true => REPLACES | access::RELEASES,
                        false => 0,
                    };
                let (at, size) = (ir.as_i64(address), ir.const64(size));
                let arguments = [number, at, size, ir.const32(flags.into())];
                ir.call("__elw_touch", None, &arguments);
            }
        });
    }
}

/// Variables that assembly knows by their names, without being given them.
fn variables_named_in(text: &str, call: Value) -> Vec<(&str, Value)> {
    let module = call.block().function().module();
    let variables = words(text).filter_map(|word| Some((word, module.global(word)?)));
    variables.collect()
}

/// What may be names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    text.split(move |c| !part_of_name(c))
        .filter(|word| !word.is_empty())
}
