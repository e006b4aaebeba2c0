//! Labels through calls: the caller's and the callee's half of the protocol of the runtime's
//! `frame` module.

use crate::emitter::{Emitter, Label};
use crate::frame::{ARGUMENTS, CLASSES, COUNT, LABELS, RETURNED, SITE, VALUES, result_place};
use crate::functions::{
    by_value, direct_callee, format_of, has_attribute, has_body, is_model, is_must_tail, is_output,
    is_private, is_silent,
};
use crate::ir::{self, Block, Ir, Value};
use crate::llvm::attribute_kind;
use crate::names;
use elsewise_wire::Reason;
use elsewise_wire::bytecode::{
    EXTERNAL, FOLLOWED_MARK, FOLLOWED_PLACES, FOLLOWED_SHIFT, KNOWN_CALLEE, REACHED, TEXT,
};
use elsewise_wire::given;
use elsewise_wire::map::SiteKind;
use elsewise_wire::output::{self, Target};
use llvm_sys::LLVMLinkage;

/// A function of this module that no other can take the place of: it follows the protocol.
fn is_defined_here(function: Value) -> bool {
    let strong = matches!(
        function.linkage(),
        LLVMLinkage::LLVMExternalLinkage
            | LLVMLinkage::LLVMInternalLinkage
            | LLVMLinkage::LLVMPrivateLinkage
    );
    let variadic = function.value_type().is_variadic();
    strong && !variadic && has_body(function)
}

impl Emitter<'_> {
    fn in_frame(&self, offset: u64) -> Value {
        self.ir.offset(self.frame, offset)
    }

    /// The callee's half: labels of the parameters.
    pub fn receive(&mut self, function: Value) {
        let ir = self.ir;
        let ours = if is_private(function) {
            None
        } else {
            let callee = ir.load(ir.ptr, self.frame);
            ir.store(ir.ptr.null(), self.frame);
            function.put_before(ir.const64(FOLLOWED_MARK));
            Some(ir.equal(callee, function))
        };
        self.ours = ours;
        for (index, parameter) in (0..).zip(function.parameters()) {
            if let Some(size) = by_value(ir, function, index) {
                self.receive_by_value(parameter, index, size, ours);
            }
            if !self.may.contains(&parameter) {
                continue;
            }
            let label = if (index as usize) < ARGUMENTS {
                let label = ir.load(ir.i32, self.in_frame(LABELS + 4 * u64::from(index)));
                ours.map_or(label, |ours| ir.and(label, ir.mask(ours)))
            } else {
                ir.const32(0)
            };
            self.set_label(parameter, Label::Ready(label));
        }
        if function.value_type().is_variadic() {
            self.variadic = Some(self.keep_variadic(ours));
        }
    }

    /// A caller that is not instrumented takes the result without its label.
    fn settle_for_foreign(&mut self, ret: Value, value: Value) {
        let (ir, Some(ours)) = (self.ir, self.ours) else {
            return;
        };
        let function = ret.block().function();
        if !self.may.contains(&value) || names::only_result(&function.name()) {
            return;
        }
        let site = self.sites.add(SiteKind::Value, ret, Vec::new());
        let labels = (0..self.parts(value)).map(|part| self.label_of_part(value, part));
        let none = ir.const32(0);
        let any = labels.fold(none, |any, label| ir.or(any, label));
        let lost = ir.and(any, ir.mask(ir.not(ours)));
        let test = ir.is_not_zero(lost);
        let head = ret.block();
        let rest = ret.split_before();
        let slow = ir.new_block(rest);
        ir.unlikely_branch(head, test, slow, rest);
        ir.at_end(slow, ret);
        let number = self.site_number(site);
        self.concrete_parts(number, value);
        ir.jump(rest);
        ir.before(ret);
    }

    /// A copy of the caller's memory: so is its shadow.
    fn receive_by_value(&self, parameter: Value, index: u32, size: u64, ours: Option<Value>) {
        let ir = self.ir;
        if index as usize >= ARGUMENTS {
            return ir.shadow_clear(parameter, size);
        }
        let given = ir.load(ir.i64, self.in_frame(VALUES + 8 * u64::from(index)));
        let from = match ours {
            Some(ours) => ir.select(ours, given, ir.const64(0)),
            None => given,
        };
        let to = ir.as_i64(parameter);
        ir.call("__elw_by_value", None, &[to, from, ir.const64(size)]);
    }

    /// A variadic function keeps the labels of its arguments until it asks for them.
    pub fn keep_variadic(&mut self, ours: Option<Value>) -> Value {
        let ir = self.ir;
        let size = 4 * ARGUMENTS as u64 + 16;
        let room = ir.builder.variable(ir.i8.array_of(size));
        room.set_alignment(8);
        let given = ours.map_or(ir.const32(1), |ours| ir.widen(ours));
        ir.call("__elw_va_keep", None, &[ir.as_i64(room), given]);
        room
    }

    /// `ret`: the result's label goes to the frame, and who returns.
    pub fn give_back(&mut self, ret: Value) {
        self.flush(ret);
        self.ir.before(ret);
        let value = ret.operands().first().copied();
        if value.is_some_and(is_must_tail) {
            return;
        }
        if let Some(value) = value {
            self.settle_for_foreign(ret, value);
            self.gives_back(ret, value);
            for part in 0..self.parts(value) {
                let label = self.label_of_part(value, part);
                self.ir.store(label, self.in_frame(result_place(part)));
            }
        }
        let function = ret.block().function();
        if !is_private(function) {
            self.ir.store(function, self.in_frame(RETURNED));
        }
    }

    /// Arguments with their labels put into the frame; what does not fit is made concrete.
    fn hand_over(&mut self, call: Value, site: Value) -> Vec<Value> {
        let ir = self.ir;
        let arguments = call.arguments();
        let parameters = call.called_type().parameter_count();
        let mut classes = 0u64;
        for (index, argument) in arguments.iter().enumerate() {
            let by_value = by_value(ir, call, index as u32);
            let fits = index < ARGUMENTS && ir.shape_of(*argument).is_some();
            if let Some(size) = by_value {
                let at = ir.as_i64(*argument);
                if index < ARGUMENTS && (index as u32) < parameters {
                    ir.store(at, self.in_frame(VALUES + 8 * index as u64));
                } else {
                    ir.call("__elw_concrete_memory", None, &[site, at, ir.const64(size)]);
                }
            }
            if index < ARGUMENTS {
                classes |= variadic_class(ir, *argument, by_value.is_some()) << (4 * index);
            }
            if fits {
                let label = self.label(*argument);
                ir.store(label, self.in_frame(LABELS + 4 * index as u64));
            } else {
                self.concrete_parts(site, *argument);
            }
        }
        if call.called_type().is_variadic() {
            ir.store(ir.const64(classes), self.in_frame(CLASSES));
            let count = ir.const32(arguments.len() as u32);
            ir.store(count, self.in_frame(COUNT));
            ir.store(ir.const32(parameters), self.in_frame(COUNT + 4));
        }
        arguments
    }

    /// Makes all parts of an argument concrete.
    fn concrete_parts(&mut self, site: Value, value: Value) {
        if !self.may.contains(&value) {
            return;
        }
        for part in 0..self.parts(value) {
            let now = self.ir.as_i64(self.ir.part(value, part));
            let label = self.label_of_part(value, part);
            self.concrete(site, label, now, Reason::Argument);
        }
    }

    /// After a call that followed the protocol: labels of the result.
    fn take_result(&mut self, call: Value) {
        if self.may.contains(&call) {
            for part in 0..self.parts(call) {
                let label = self.ir.load(self.ir.i32, self.in_frame(result_place(part)));
                self.set_part(call, part, Label::Ready(label));
            }
        }
    }

    /// A call of anything that is not an intrinsic.
    pub fn call(&mut self, call: Value) {
        let ir = self.ir;
        if call.called().is_assembly() {
            return self.assembly(call);
        }
        self.flush(call);
        let direct = direct_callee(call);
        self.tell_of_functions(call, direct.as_ref());
        if is_silent(call) {
            return self.look_at_exception(call, direct.as_ref());
        }
        self.tell_files(call, direct.as_ref());
        self.look_at_structures(call, direct.as_ref());
        let output = is_output(call);
        self.leaves(call, direct.as_ref(), output);
        if output {
            self.look_at_format(call, direct.as_ref());
            let labelled = |argument: &Value| self.may.contains(argument);
            if !call.is_used() && !call.arguments().iter().any(labelled) {
                return;
            }
        }
        let kind = match &direct {
            Some((_, name)) if name == "elsewise_assume" => SiteKind::Assume,
            _ => SiteKind::Value,
        };
        let site = self.sites.add(kind, call, Vec::new());
        self.sites.names(call, site);
        ir.before(call);
        let callee = call.called();
        let number = self.site_number(site);
        self.concrete(
            number,
            self.label(callee),
            ir.as_i64(callee),
            Reason::Callee,
        );
        let arguments = self.hand_over(call, number);
        // After output nothing is said of what was given.
        let pointer = |argument: &&Value| output && argument.ty() == ir.ptr;
        for argument in arguments.iter().filter(pointer) {
            let given = [number, self.label(*argument), ir.as_i64(*argument)];
            ir.call("__elw_may_be_null", None, &given);
        }
        if never_returns(call, &direct) && !output {
            // What is said after the call would never be said.
            for argument in &arguments {
                self.concrete_parts(number, *argument);
            }
        }
        let private = direct
            .as_ref()
            .is_some_and(|(function, _)| is_private(*function));
        if !private {
            ir.store(number, self.in_frame(SITE));
            ir.store(callee, self.frame);
            ir.store(ir.ptr.null(), self.in_frame(RETURNED));
        }
        if is_must_tail(call) {
            return;
        }
        let of_runtime = direct
            .as_ref()
            .is_some_and(|(_, name)| names::of_runtime(name));
        let defined = direct
            .as_ref()
            .is_some_and(|(function, _)| is_defined_here(*function));
        if private || of_runtime || defined {
            ir.before(after(call));
            if of_runtime {
                ir.store(ir.ptr.null(), self.frame);
            }
            return self.take_result(call);
        }
        let known = |(_, name): &(Value, String)| {
            names::reads_nothing(name) || name.starts_with("elsewise_")
        };
        let reads = !output && !direct.as_ref().is_some_and(known);
        let name = direct.as_ref().map_or("", |(_, name)| name);
        let given = Given::of(self, &arguments, name, reads);
        let reached = match reads {
            true => self.before_external(call, &given),
            false => ir.const32(0),
        };
        let next = after(call);
        ir.before(next);
        let returned = ir.load(ir.ptr, self.in_frame(RETURNED));
        let foreign = ir.differ(returned, callee);
        if output {
            ir.store(ir.ptr.null(), self.frame);
        }
        if output && !self.may.contains(&call) {
            return;
        }
        self.take_result(call);
        let head: Block = next.block();
        let rest = next.split_before();
        let outside = ir.new_block(rest);
        ir.unlikely_branch(head, foreign, outside, rest);
        ir.at_end(outside, call);
        if !output {
            let mut said = vec![number, reached, ir.const32(given.pointers)];
            said.extend(given.tell(self));
            ir.call(EXTERNAL, None, &said);
        }
        ir.jump(rest);
        self.slow_paths.push(outside);
        if self.may.contains(&call) {
            ir.before(next);
            for part in 0..self.parts(call) {
                let result = self.label_of_part(call, part);
                let label = ir.phi(ir.i32, &[(result, head), (ir.const32(0), outside)]);
                self.set_part(call, part, Label::Ready(label));
            }
        }
    }

    /// A format that nobody knows yet may ask for how much was printed.
    fn look_at_format(&mut self, call: Value, direct: Option<&(Value, String)>) {
        let format = direct.and_then(|(_, name)| format_of(call, name));
        let unknown = |format: &Value| ir::constant_text(*format).is_none();
        // A model has done itself what the format asks for.
        let Some(format) = format.filter(|format| unknown(format) && !is_model(call)) else {
            return;
        };
        let site = self.sites.add(SiteKind::Value, call, Vec::new());
        self.ir.before(call);
        let arguments = [self.site_number(site), self.ir.as_i64(format)];
        self.ir.call("__elw_format", None, &arguments);
    }

    /// Functions that are kept to be called later by nobody who is instrumented.
    fn tell_of_functions(&mut self, call: Value, direct: Option<&(Value, String)>) {
        let Some((_, name)) = direct.filter(|(function, _)| !has_body(*function)) else {
            return;
        };
        let arguments = call.arguments();
        let ir = self.ir;
        let kept = names::keeps_function(name).map(|index| (index, None));
        let at_the_end = names::keeps_for_the_end(name).then_some((0, Some(1)));
        for (function, object) in kept.chain(at_the_end) {
            let Some(function) = arguments.get(function).filter(|value| !value.is_null()) else {
                continue;
            };
            let object = object.and_then(|index: usize| arguments.get(index));
            let site = self.sites.add(SiteKind::Value, call, Vec::new());
            ir.before(call);
            let object = object.map_or(ir.const64(0), |object| ir.as_i64(*object));
            let told = [self.site_number(site), ir.as_i64(*function), object];
            ir.call("__elw_function_given", None, &told);
        }
    }

    /// What is in structures that a function looks at is taken as it is.
    fn look_at_structures(&mut self, call: Value, direct: Option<&(Value, String)>) {
        let Some((_, name)) = direct.filter(|(function, _)| !has_body(*function)) else {
            return;
        };
        let read = names::reads(name).filter(|(_, size)| *size > 0);
        let name = name.strip_prefix("__elw_m_").unwrap_or(name);
        let arguments = call.arguments();
        if names::reads_environment(name) && !is_model(call) {
            let site = self.sites.add(SiteKind::Value, call, Vec::new());
            self.ir.before(call);
            let site = self.site_number(site);
            self.ir.call("__elw_environment", None, &[site]);
        }
        for (index, size) in names::looked_at(name).chain(read) {
            let null = |value: &Value| value.is_null();
            let Some(pointer) = arguments.get(index).filter(|value| !null(value)) else {
                continue;
            };
            let site = self.sites.add(SiteKind::Value, call, Vec::new());
            self.ir.before(call);
            let size = self.ir.const32(size);
            let arguments = [self.site_number(site), self.ir.as_i64(*pointer), size];
            self.ir.call("__elw_looked_at", None, &arguments);
        }
    }

    /// Says which file is written, or is asked how much was: that may depend on input, whatever the labels
    /// of this run are.
    fn tell_files(&mut self, call: Value, direct: Option<&(Value, String)>) {
        let Some((function, name)) = direct else {
            return;
        };
        let name = name.strip_prefix("__elw_m_").unwrap_or(name);
        let arguments = call.arguments();
        let (told, found) = match (output::written_by(name), output::told_by(name)) {
            _ if has_body(*function) => return,
            (Some(found), _) => (false, found),
            (None, Some(found)) => (true, found),
            (None, None) => return,
        };
        let (index, target) = found;
        let Some(argument) = arguments.get(index) else {
            return;
        };
        let none = |buffer: &Value| buffer.is_null();
        if target == Target::Buffered && arguments.get(1).is_some_and(none) {
            return;
        }
        self.ir.before(call);
        let (file, kind) = (self.ir.as_i64(*argument), self.ir.const32(target as u32));
        if told {
            let site = self.sites.add(SiteKind::Value, call, Vec::new());
            let arguments = [self.site_number(site), file, kind];
            self.ir.call("__elw_file_told", None, &arguments);
            return;
        }
        if self.may.contains(argument) {
            let site = self.sites.add(SiteKind::Value, call, Vec::new());
            self.concrete_parts(self.site_number(site), *argument);
        }
        let constant = |index: usize| {
            let known = |value: &Value| value.is_constant_number();
            let text = |value: &Value| ir::constant_text(*value).is_some();
            let argument = arguments.get(index);
            argument.is_some_and(|value| known(value) || text(value))
        };
        let amount = output::amount_is_known(name, constant);
        if !amount || !(0..arguments.len()).all(|at| at == index || constant(at)) {
            let amount = self.ir.const32(amount.into());
            self.ir
                .call("__elw_file_written", None, &[file, kind, amount]);
        }
    }

    /// How large a variable is that a pointer is the address of.
    pub fn known_size(&self, pointer: Value) -> Option<u32> {
        let ir = self.ir;
        let ty = if pointer.is_alloca() {
            let one = pointer.operand(0).as_u64() == Some(1);
            one.then(|| pointer.allocated_type())
        } else {
            pointer.is_global_variable().then(|| pointer.value_type())
        };
        let ty = ty.filter(|ty| ty.is_sized())?;
        u32::try_from(ir.size(ty)).ok().filter(|size| *size > 0)
    }

    /// If nobody knows that the callee is instrumented: what it would reach is looked through. The result says what was
    /// found.
    fn before_external(&mut self, call: Value, given: &Given) -> Value {
        let ir = self.ir;
        ir.before(call);
        let callee = ir.as_i64(call.called());
        let place = ir
            .builder
            .shift_right(callee, ir.const64(FOLLOWED_SHIFT.into()));
        let place = ir.and(place, ir.const64(FOLLOWED_PLACES as u64 - 1));
        let known = ir
            .builder
            .element_address(ir.i64, self.globals.followed, place);
        let unknown = ir.differ(ir.load(ir.i64, known), callee);
        let head = call.block();
        let rest = call.split_before();
        let look = ir.new_block(rest);
        ir.unlikely_branch(head, unknown, look, rest);
        ir.at_end(look, call);
        let mut said = vec![callee, ir.const32(given.pointers)];
        said.extend(given.tell(self));
        let found = ir.call(REACHED, Some(ir.i32), &said);
        ir.jump(rest);
        self.slow_paths.push(look);
        ir.before(call);
        ir.phi(ir.i32, &[(ir.const32(0), head), (found, look)])
    }
}

/// What a foreign function is given.
struct Given {
    arguments: Vec<Value>,
    /// Bit i says that argument i is a pointer to what it may read, bit `ARGUMENTS` + i that this is a text, and both
    /// that it points to a variable whose size is known.
    pointers: u32,
    /// These, with [`TEXT`] if it is a text.
    sizes: Vec<Option<u32>>,
}

impl Given {
    fn of(emitter: &Emitter, arguments: &[Value], name: &str, reads: bool) -> Given {
        let arguments: Vec<Value> = arguments.iter().copied().take(ARGUMENTS).collect();
        let mut pointers = 0u32;
        let mut sizes = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            // What is looked at before the call is not looked at again.
            let known = names::reads(name).any(|(at, _)| at == index);
            let pointer = reads && !known && argument.ty() == emitter.ir.ptr;
            let size = pointer.then(|| emitter.known_size(*argument)).flatten();
            let text = pointer && index < ARGUMENTS - 1 && given::reads_text(name, index);
            let size = size.filter(|size| size & TEXT == 0);
            let [memory, known] = [pointer && (!text || size.is_some()), text || size.is_some()];
            pointers |= u32::from(memory) << index;
            pointers |= u32::from(known) << (ARGUMENTS + index);
            sizes.push(size.map(|size| size | if text { TEXT } else { 0 }));
        }
        Given {
            arguments,
            pointers: if reads { pointers } else { KNOWN_CALLEE },
            sizes,
        }
    }

    /// Label, or size, and value of each argument.
    fn tell(&self, emitter: &mut Emitter) -> Vec<Value> {
        let ir = emitter.ir;
        let both = self.arguments.iter().zip(&self.sizes);
        let pairs = both.map(|(argument, size)| match (ir.shape_of(*argument), size) {
            (Some(_), Some(size)) => [ir.const32(*size), ir.as_i64(*argument)],
            (Some(_), None) => [emitter.label(*argument), ir.as_i64(*argument)],
            (None, _) => [ir.const32(0), ir.const64(0)],
        });
        pairs.flatten().collect()
    }
}

/// Where the code after a call goes: behind it, or on the edge of a call that may throw.
fn after(call: Value) -> Value {
    if !call.is_invoke() {
        return ir::next(call);
    }
    let edge = call.split_edge(0);
    edge.terminator()
}

/// A foreign function that does not come back: `longjmp`, say.
fn never_returns(call: Value, direct: &Option<(Value, String)>) -> bool {
    let Some((function, name)) = direct else {
        return false;
    };
    let never = "noreturn";
    function.is_declaration()
        && !names::of_runtime(name)
        && (has_attribute(call, never) || has_attribute(*function, never))
}

/// How an argument reaches a variadic callee's list: in general registers (1), in vector
/// registers (2), or in memory of so many words (3 and more).
fn variadic_class(ir: &Ir, argument: Value, by_value: bool) -> u64 {
    use llvm_sys::LLVMTypeKind::*;
    match argument.ty().kind() {
        _ if by_value => 15,
        LLVMIntegerTypeKind | LLVMPointerTypeKind if ir.shape_of(argument).is_some() => 1,
        LLVMFloatTypeKind | LLVMDoubleTypeKind => 2,
        _ => 15,
    }
}

/// Instrumented code writes memory that the programmer does not see: promises that a function
/// touches none would let the optimiser move labels past each other.
pub fn forget_memory_promises(function: Value) {
    let kind = attribute_kind("memory");
    function.remove_attribute(kind);
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        let calls = instruction.is_plain_call() || instruction.is_invoke();
        let intrinsic = |(_, name): (Value, String)| names::intrinsic(&name).is_some();
        if calls && !direct_callee(instruction).is_some_and(intrinsic) {
            instruction.remove_attribute(kind);
        }
    }
}
