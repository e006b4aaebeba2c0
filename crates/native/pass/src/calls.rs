//! Labels through calls: the caller's and the callee's half of the protocol of the runtime's
//! `call` module.

use crate::emit::{Emitter, Label};
use crate::ir::{self, Block, Ir, Value};
use crate::labels::{direct_callee, is_only_output};
use crate::names;
use elsewise_wire::Reason;
use elsewise_wire::map::SiteKind;
use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMTailCallKind};

/// As many arguments as the runtime's frame has room for.
pub const ARGUMENTS: usize = 16;

/// Offsets in the runtime's `Frame`.
const RESULT: u64 = 8;
const SITE: u64 = 12;
const LABELS: u64 = 16;
const VALUES: u64 = LABELS + 4 * ARGUMENTS as u64;
const RETURNED: u64 = VALUES + 8 * ARGUMENTS as u64;
const OUTLINED_AT: u64 = RETURNED + 8;
pub const FRAME_SIZE: u64 = OUTLINED_AT + 4 * OUTLINED as u64;

/// Labels that a slow path of its own function can give back.
pub const OUTLINED: usize = 48;

/// Where a slow path leaves label `index`.
pub fn outlined_place(ir: &Ir, frame: Value, index: usize) -> Value {
    ir.offset(frame, OUTLINED_AT + 4 * index as u64)
}

pub fn attribute_kind(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// A function that only instrumented code of this module calls, always by name: nobody can call
/// it without the protocol, so neither side checks.
pub fn is_private(function: Value) -> bool {
    unsafe {
        let linkage = LLVMGetLinkage(function);
        let local = matches!(
            linkage,
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
        );
        let variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) != 0;
        if !local || variadic || LLVMIsDeclaration(function) != 0 {
            return false;
        }
        let mut at = LLVMGetFirstUse(function);
        while !at.is_null() {
            let user = LLVMGetUser(at);
            let called = !LLVMIsACallInst(user).is_null()
                && LLVMGetCalledValue(user) == function
                && !(0..LLVMGetNumArgOperands(user))
                    .any(|index| LLVMGetOperand(user, index) == function);
            if !called {
                return false;
            }
            at = LLVMGetNextUse(at);
        }
    }
    true
}

/// Size of what is passed by value on the stack, if argument `index` is.
fn by_value(ir: &Ir, call_or_function: Value, index: u32, is_call: bool) -> Option<u64> {
    let kind = attribute_kind("byval");
    unsafe {
        let attribute = if is_call {
            LLVMGetCallSiteEnumAttribute(call_or_function, index + 1, kind)
        } else {
            LLVMGetEnumAttributeAtIndex(call_or_function, index + 1, kind)
        };
        (!attribute.is_null()).then(|| ir.size(LLVMGetTypeAttributeValue(attribute)))
    }
}

impl Emitter<'_> {
    fn in_frame(&self, offset: u64) -> Value {
        self.ir.offset(self.globals.frame, offset)
    }

    /// The callee's half: labels of the parameters.
    pub fn receive(&mut self, function: Value) {
        let ir = self.ir;
        let ours = if is_private(function) {
            None
        } else {
            let callee = ir.load(ir.ptr, self.globals.frame);
            ir.store(unsafe { LLVMConstNull(ir.ptr) }, self.globals.frame);
            Some(ir.equal(callee, function))
        };
        for index in 0..unsafe { LLVMCountParams(function) } {
            let parameter = unsafe { LLVMGetParam(function, index) };
            if let Some(size) = by_value(ir, function, index, false) {
                ir.shadow_clear(parameter, size);
            }
            if !self.may.contains(&parameter) {
                continue;
            }
            let label = if (index as usize) < ARGUMENTS {
                let label = ir.load(ir.i32, self.in_frame(LABELS + 4 * u64::from(index)));
                match ours {
                    Some(ours) => ir.select(ours, label, ir.const32(0)),
                    None => label,
                }
            } else {
                ir.const32(0)
            };
            self.set_label(parameter, Label::Ready(label));
        }
    }

    /// `ret`: the result's label goes to the frame, and who returns.
    pub fn give_back(&mut self, ret: Value) {
        self.flush(ret);
        self.ir.before(ret);
        let value = ir::operands(ret).first().copied();
        if value.is_some_and(is_must_tail) {
            return;
        }
        if let Some(value) = value.filter(|value| self.ir.shape_of(*value).is_some()) {
            self.ir.store(self.label(value), self.in_frame(RESULT));
        }
        let function = unsafe { LLVMGetBasicBlockParent(ir::parent(ret)) };
        if !is_private(function) {
            self.ir.store(function, self.in_frame(RETURNED));
        }
    }

    /// Arguments with their labels put into the frame; what does not fit is made concrete.
    fn hand_over(&mut self, call: Value, site: Value) -> Vec<Value> {
        let ir = self.ir;
        let count = unsafe { LLVMGetNumArgOperands(call) };
        let arguments: Vec<Value> = (0..count).map(|index| ir::operand(call, index)).collect();
        let parameters = unsafe { LLVMCountParamTypes(LLVMGetCalledFunctionType(call)) };
        for (index, argument) in arguments.iter().enumerate() {
            if let Some(size) = by_value(ir, call, index as u32, true) {
                let at = ir.as_i64(*argument);
                ir.call("__elw_concrete_memory", None, &[site, at, ir.const64(size)]);
            }
            let label = self.label(*argument);
            // A variadic callee takes what is not named from memory that has no labels.
            if index >= ARGUMENTS || index as u32 >= parameters {
                if self.may.contains(argument) {
                    self.concrete(site, label, ir.as_i64(*argument), Reason::Argument);
                }
            } else {
                ir.store(label, self.in_frame(LABELS + 4 * index as u64));
            }
        }
        arguments
    }

    /// A call of anything that is not an intrinsic.
    pub fn call(&mut self, call: Value) {
        let ir = self.ir;
        if !unsafe { LLVMIsAInlineAsm(LLVMGetCalledValue(call)) }.is_null() {
            self.unhandled(call);
            self.set_label(call, Label::Ready(ir.const32(0)));
            return self.flush(call);
        }
        self.flush(call);
        if is_only_output(call) {
            return;
        }
        let direct = direct_callee(call);
        let kind = match &direct {
            Some((_, name)) if name == "elsewise_assume" => SiteKind::Assume,
            _ => SiteKind::Value,
        };
        let site = self.sites.add(kind, call, Vec::new());
        ir.before(call);
        let callee = unsafe { LLVMGetCalledValue(call) };
        let number = self.site_number(site);
        self.concrete(
            number,
            self.label(callee),
            ir.as_i64(callee),
            Reason::Callee,
        );
        let arguments = self.hand_over(call, number);
        let labelled = self.may.contains(&call);
        if direct
            .as_ref()
            .is_some_and(|(function, _)| is_private(*function))
        {
            if labelled && !is_must_tail(call) {
                ir.before(ir::next(call));
                let label = ir.load(ir.i32, self.in_frame(RESULT));
                self.set_label(call, Label::Ready(label));
            }
            return;
        }
        ir.store(number, self.in_frame(SITE));
        ir.store(callee, self.globals.frame);
        ir.store(unsafe { LLVMConstNull(ir.ptr) }, self.in_frame(RETURNED));
        if is_must_tail(call) {
            return;
        }
        let next = ir::next(call);
        ir.before(next);
        if direct
            .as_ref()
            .is_some_and(|(_, name)| names::of_runtime(name))
        {
            if labelled {
                let label = ir.load(ir.i32, self.in_frame(RESULT));
                self.set_label(call, Label::Ready(label));
            }
            return;
        }
        let returned = ir.load(ir.ptr, self.in_frame(RETURNED));
        let foreign = ir.differ(returned, callee);
        let result = ir.load(ir.i32, self.in_frame(RESULT));
        let head: Block = ir::parent(next);
        let rest = ir::split_before(next);
        let outside = ir.new_block(rest);
        ir.unlikely_branch(head, foreign, outside, rest);
        ir.at_end(outside, call);
        self.after_external(number, &arguments);
        ir.jump(rest);
        self.slow_paths.push(outside);
        if labelled {
            ir.before(next);
            let label = ir.phi(ir.i32, &[(result, head), (ir.const32(0), outside)]);
            self.set_label(call, Label::Ready(label));
        }
    }

    /// The callee was not instrumented.
    fn after_external(&mut self, site: Value, arguments: &[Value]) {
        let ir = self.ir;
        let mut pointers = 0u32;
        for (index, argument) in arguments.iter().take(ARGUMENTS).enumerate() {
            let (label, value) = match ir.shape_of(*argument) {
                Some(_) => (self.label(*argument), ir.as_i64(*argument)),
                None => (ir.const32(0), ir.const64(0)),
            };
            ir.store(label, self.in_frame(LABELS + 4 * index as u64));
            ir.store(value, self.in_frame(VALUES + 8 * index as u64));
            if ir::type_of(*argument) == ir.ptr {
                pointers |= 1 << index;
            }
        }
        let count = ir.const32(arguments.len().min(ARGUMENTS) as u32);
        ir.call("__elw_external", None, &[site, count, ir.const32(pointers)]);
    }

    /// A call that ends its block otherwise than by returning: arguments are handed over, but
    /// the result's label is not followed, and that is said.
    pub fn unfollowed_call(&mut self, call: Value) {
        let ir = self.ir;
        self.flush(call);
        let site = self.sites.add(SiteKind::Value, call, Vec::new());
        ir.before(call);
        let number = self.site_number(site);
        self.hand_over(call, number);
        ir.store(number, self.in_frame(SITE));
        ir.store(unsafe { LLVMGetCalledValue(call) }, self.globals.frame);
        ir.call(
            "__elw_opaque",
            None,
            &[number, ir.const32(Reason::Operation as u32)],
        );
    }
}

fn is_must_tail(value: Value) -> bool {
    unsafe {
        !LLVMIsACallInst(value).is_null()
            && LLVMGetTailCallKind(value) == LLVMTailCallKind::LLVMTailCallKindMustTail
    }
}

/// Instrumented code writes memory that the programmer does not see: promises that a function
/// touches none would let the optimiser move labels past each other.
pub fn forget_memory_promises(function: Value) {
    let kind = attribute_kind("memory");
    unsafe {
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
        for block in ir::blocks(function) {
            for instruction in ir::instructions(block) {
                if !LLVMIsACallInst(instruction).is_null()
                    && direct_callee(instruction)
                        .is_none_or(|(_, name)| names::intrinsic(&name).is_none())
                {
                    LLVMRemoveCallSiteEnumAttribute(instruction, LLVMAttributeFunctionIndex, kind);
                }
            }
        }
    }
}
