//! Statements and functions: everything that makes a choice, each with a number of its own.
//!
//! An effect (a choice, a call, an access at an index) stands alone in its statement or on one side
//! of `&&`, `||` or `?:`, so that the order of effects is the same for every compiler.

mod functions;

use super::expression::{Operand, Type, any_type, comparison, pure};
use elsewise_test_random::Random;

/// `int`.
const COUNTER: Type = Type::ALL[5];

/// A function that later ones may call.
struct Function {
    name: String,
    parameters: Vec<Type>,
    result: Type,
}

pub struct Writer {
    random: Random,
    bytes: usize,
    text: String,
    indent: usize,
    /// Numbers of choices.
    next_choice: u32,
    next_name: u32,
    /// What may be mentioned here; cut back when a block ends.
    operands: Vec<Operand>,
    /// Names that may be assigned to; a part of the operands.
    variables: Vec<Operand>,
    functions: Vec<Function>,
    /// How much more the program may branch: a choice costs 2, less where it is nested, an index
    /// as many as its bits.
    fuel: i32,
    /// In a function other than `f`, the type it returns.
    returns: Option<Type>,
}

impl Writer {
    pub fn new(random: Random, bytes: usize) -> Writer {
        Writer {
            random,
            bytes,
            text: String::new(),
            indent: 0,
            next_choice: 1,
            next_name: 0,
            operands: Vec::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            fuel: 0,
            returns: None,
        }
    }

    /// All functions, `reset` and `f` among them.
    pub fn program(mut self) -> String {
        self.fuel = 30;
        self.line("struct pair { u8 a; i16 b; u32 c; i64 d; };");
        self.line("static u16 shared;");
        self.line("static i8 board[8];");
        self.line("");
        self.line("static void reset(void)");
        self.open("");
        let start = self.random.below(100);
        self.line(&format!("shared = {start};"));
        self.line("for (int i = 0; i < 8; i++)");
        let step = self.random.between(-9, 9);
        self.line(&format!("    board[i] = (i8)(i * {step});"));
        self.close("");
        self.line("");
        self.structure_function();
        for _ in 0..self.random.below(3) {
            self.function();
        }
        if self.random.chance(40) {
            self.recursion();
        }
        self.main_function();
        self.text
    }

    fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.indent));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    fn open(&mut self, head: &str) {
        match head {
            "" => self.line("{"),
            _ => self.line(&format!("{head} {{")),
        }
        self.indent += 1;
    }

    fn close(&mut self, tail: &str) {
        self.indent -= 1;
        self.line(&format!("}}{tail}"));
    }

    fn choice(&mut self) -> u32 {
        self.next_choice += 1;
        self.next_choice - 1
    }

    fn name(&mut self) -> String {
        self.next_name += 1;
        format!("v{}", self.next_name - 1)
    }

    fn pure(&mut self, kind: Type, depth: u32) -> String {
        pure(&mut self.random, &self.operands, kind, depth)
    }

    /// A condition: comparisons joined by `&&` and `||`, each with its two sides.
    fn condition(&mut self) -> String {
        let number = self.choice();
        let first = format!(
            "C({number}, {})",
            comparison(&mut self.random, &self.operands)
        );
        self.fuel -= 1;
        if self.fuel <= 0 || !self.random.chance(25) {
            return first;
        }
        let operator = *self.random.pick(&["&&", "||"]);
        let number = self.choice();
        let second = comparison(&mut self.random, &self.operands);
        self.fuel -= 1;
        let negation = if self.random.chance(20) { "!" } else { "" };
        format!("{negation}({first} {operator} C({number}, {second}))")
    }

    fn declare(&mut self, kind: Type, value: &str) -> String {
        let name = self.name();
        self.line(&format!("{} {name} = {value};", kind.name()));
        let operand = Operand {
            text: name.clone(),
            kind,
        };
        self.operands.push(operand.clone());
        self.variables.push(operand);
        name
    }

    /// Runs `write` in a block of its own: names it declares are gone afterwards.
    fn block(&mut self, head: &str, tail: &str, write: impl FnOnce(&mut Writer)) {
        let (operands, variables) = (self.operands.len(), self.variables.len());
        self.open(head);
        write(self);
        self.close(tail);
        self.operands.truncate(operands);
        self.variables.truncate(variables);
    }

    fn statements(&mut self, number: usize, depth: u32) {
        for _ in 0..number {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        if self.fuel <= 0 {
            return self.calculation();
        }
        match self.random.below(22) {
            0..=4 => self.calculation(),
            5..=9 if depth > 0 => self.branch(depth),
            10..=12 if depth > 0 => self.switch(depth),
            13..=15 if depth > 0 => self.counted_loop(depth),
            16 | 17 => self.conditional_value(),
            18 | 19 => self.array_access(),
            20 => self.call(),
            _ => self.structure(),
        }
    }

    fn calculation(&mut self) {
        let kind = any_type(&mut self.random);
        if self.variables.is_empty() || self.random.chance(40) {
            let value = self.pure(kind, 2);
            self.declare(kind, &value);
            return;
        }
        let variable = self.random.pick(&self.variables).clone();
        let value = self.pure(variable.kind, 2);
        self.line(&format!("{} = {value};", variable.text));
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.condition();
        let number = 1 + self.random.below(2);
        let otherwise = self.random.chance(60);
        let tail = if otherwise { " else {" } else { "" };
        self.block(&format!("if ({condition})"), tail, |w| {
            w.statements(number, depth - 1);
            w.maybe_end(20);
        });
        if otherwise {
            // The block's closing line opened the other one.
            let (operands, variables) = (self.operands.len(), self.variables.len());
            self.indent += 1;
            self.statements(1, depth - 1);
            self.maybe_end(10);
            self.close("");
            self.operands.truncate(operands);
            self.variables.truncate(variables);
        }
    }

    /// Ends the run, or returns, `percent` times in a hundred.
    fn maybe_end(&mut self, percent: u64) {
        if !self.random.chance(percent) {
            return;
        }
        match self.returns {
            Some(kind) if self.random.chance(80) => {
                let value = self.pure(kind, 1);
                self.line(&format!("return {value};"));
            }
            _ if self.random.chance(15) => self.line("FAIL();"),
            _ => {
                let outcome = self.random.below(8);
                self.line(&format!("END({outcome});"));
            }
        }
    }

    fn switch(&mut self, depth: u32) {
        let kind = any_type(&mut self.random);
        let value = match self.random.chance(60) {
            // Something whose values are met.
            true => {
                let operand = self.random.pick(&self.operands).text.clone();
                let mask = *self.random.pick(&[3, 7, 15, 255]);
                match self.random.chance(50) {
                    true => format!("(({operand}) & {mask})"),
                    false => operand,
                }
            }
            false => self.pure(kind, 2),
        };
        let number = 2 + self.random.below(4);
        let mut cases: Vec<i128> = Vec::new();
        let dense = self.random.chance(50);
        let base = match kind.signed && self.random.chance(60) {
            true => i128::from(self.random.between(-5, -1)),
            false => i128::from(self.random.between(0, 3)),
        };
        for i in 0..number {
            let case = match dense {
                true => base + i as i128,
                false if kind.bits == 64 && self.random.chance(30) => {
                    i128::from(self.random.word() as i64)
                }
                false => i128::from(self.random.word() as i8),
            };
            let case = case.clamp(kind.lowest(), kind.highest());
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        self.fuel -= 2;
        self.open(&format!("switch (({})({value}))", kind.name()));
        for case in cases {
            let number = self.choice();
            let spelled = match kind.bits == 64 && case > 0xffff_ffff {
                true => format!("{case:#x}ll"),
                false => kind.spell(case),
            };
            // A negative case is spelled without its brackets, as people do.
            let plain = spelled.trim_start_matches('(').trim_end_matches(')');
            let spelled = if spelled.contains(" - ") {
                &spelled
            } else {
                plain
            };
            let fall = self.random.chance(20);
            let tail = if fall { " /* fall through */" } else { "" };
            self.block(&format!("case {spelled}:"), tail, |w| {
                w.line(&format!("HIT({});", 2 * number));
                w.statements(1, depth - 1);
                w.maybe_end(15);
                w.line(if fall {
                    "__attribute__((fallthrough));"
                } else {
                    "break;"
                });
            });
        }
        let number = self.choice();
        self.block("default:", "", |w| {
            w.line(&format!("HIT({});", 2 * number));
            if w.random.chance(40) {
                w.calculation();
            }
        });
        self.close("");
    }

    /// A loop whose number of rounds depends on the input, and has a bound.
    fn counted_loop(&mut self, depth: u32) {
        let kind = any_type(&mut self.random);
        let mask = *self.random.pick(&[1, 3, 3, 7]);
        let bound = self.pure(kind, 1);
        let number = self.choice();
        let counter = self.name();
        self.fuel -= 2;
        let style = self.random.below(3);
        match style {
            0 => {
                let head = format!(
                    "for (int {counter} = 0; C({number}, {counter} < (int)(({bound}) & {mask})); \
                     {counter}++)"
                );
                self.block(&head, "", |w| w.loop_body(&counter, COUNTER, depth));
            }
            1 => {
                let name = kind.name();
                self.line(&format!("{name} {counter} = ({name})(({bound}) & {mask});"));
                let head = format!("while (C({number}, {counter} > 0))");
                self.block(&head, "", |w| {
                    w.loop_body(&counter, kind, depth);
                    w.line(&format!("{counter} = ({name})({counter} - 1);"));
                });
            }
            _ => {
                self.line(&format!("int {counter} = 0;"));
                let tail =
                    format!(" while (C({number}, ++{counter} <= (int)(({bound}) & {mask})));");
                // The bound is evaluated anew in every round, so its names must outlive the body.
                self.block("do", &tail, |w| w.loop_body(&counter, COUNTER, depth));
            }
        }
    }

    fn loop_body(&mut self, counter: &str, kind: Type, depth: u32) {
        // A counter may be looked at, not changed: the loop must end.
        self.operands.push(Operand {
            text: counter.to_owned(),
            kind,
        });
        // Whatever branches in a loop branches in every round.
        let kept = self.fuel;
        self.fuel = self.fuel.min(2);
        self.statements(1, depth - 1);
        let spent = self.fuel.min(2) - 2;
        self.fuel = kept + 2 * spent;
        if self.random.chance(15) && self.fuel > 0 {
            let number = self.choice();
            let condition = comparison(&mut self.random, &self.operands);
            self.fuel -= 2;
            self.line(&format!("if (C({number}, {condition}))"));
            self.line("    break;");
        }
    }

    /// `condition ? (HIT, x) : (HIT, y)`, or the value of `&&` and `||`.
    fn conditional_value(&mut self) {
        let kind = any_type(&mut self.random);
        if self.random.chance(30) {
            let condition = self.condition();
            self.declare(kind, &format!("({})({condition})", kind.name()));
            return;
        }
        let number = self.choice();
        let condition = comparison(&mut self.random, &self.operands);
        let (x, y) = (self.pure(kind, 1), self.pure(kind, 1));
        self.fuel -= 1;
        let value = format!(
            "({condition}) ? (HIT({}), {x}) : (HIT({}), {y})",
            2 * number,
            2 * number + 1
        );
        self.declare(kind, &value);
    }

    /// Reads or writes an array at an index that depends on the input.
    fn array_access(&mut self) {
        let index = any_type(&mut self.random);
        let index = self.pure(index, 1);
        let write = self.random.chance(50);
        let (array, kind, mask) = match self.random.chance(50) {
            true => ("board".to_owned(), Type::ALL[1], 7),
            false => {
                let kind = any_type(&mut self.random);
                let name = self.name();
                let values: Vec<String> = (0..4).map(|_| kind.constant(&mut self.random)).collect();
                self.line(&format!(
                    "{} {name}[4] = {{{}}};",
                    kind.name(),
                    values.join(", ")
                ));
                (name, kind, 3)
            }
        };
        self.fuel -= if mask == 7 { 3 } else { 2 };
        if write {
            let value = self.pure(kind, 1);
            self.line(&format!("{array}[(({index}) & {mask})] = {value};"));
            let fixed = self.random.below(mask + 1);
            self.declare(kind, &format!("{array}[{fixed}]"));
        } else {
            self.declare(kind, &format!("{array}[(({index}) & {mask})]"));
        }
    }

    fn call(&mut self) {
        if self.functions.is_empty() {
            return self.calculation();
        }
        let at = self.random.below(self.functions.len());
        let (name, parameters, result) = {
            let function = &self.functions[at];
            (
                function.name.clone(),
                function.parameters.clone(),
                function.result,
            )
        };
        let mut arguments: Vec<String> = parameters
            .into_iter()
            .map(|kind| self.pure(kind, 1))
            .collect();
        if name.starts_with("rec") {
            arguments.push(self.random.between(1, 3).to_string());
        }
        self.fuel -= 3;
        self.declare(result, &format!("{name}({})", arguments.join(", ")));
    }

    fn structure(&mut self) {
        let name = self.name();
        let kinds = [Type::ALL[0], Type::ALL[3], Type::ALL[4], Type::ALL[7]];
        let values: Vec<String> = kinds.iter().map(|kind| self.pure(*kind, 1)).collect();
        self.line(&format!("struct pair {name} = {{{}}};", values.join(", ")));
        if self.random.chance(60) {
            self.line(&format!("mix(&{name});"));
            self.fuel -= 1;
        }
        if self.random.chance(30) {
            let copy = self.name();
            self.line(&format!("struct pair {copy} = {name};"));
            self.line(&format!("{copy}.b = (i16)({name}.b ^ 21);"));
            self.operands.push(Operand {
                text: format!("{copy}.b"),
                kind: kinds[1],
            });
        }
        for (field, kind) in ["a", "b", "c", "d"].iter().zip(kinds) {
            self.operands.push(Operand {
                text: format!("{name}.{field}"),
                kind,
            });
        }
    }

    /// Sets what a function's body may mention.
    fn scope(&mut self, operands: Vec<Operand>) {
        self.variables = operands.clone();
        self.operands = operands;
        self.operands.push(Operand {
            text: "shared".to_owned(),
            kind: Type::ALL[2],
        });
        self.variables.push(Operand {
            text: "shared".to_owned(),
            kind: Type::ALL[2],
        });
    }
}
