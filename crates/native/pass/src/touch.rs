//! Before an access to memory that other threads may see, code says what it is about to touch, if there
//! are other threads.

use crate::emitter::Emitter;
use crate::functions::{has_body, is_model, is_must_tail};
use crate::ir::{self, Ir, Value};
use crate::names;
use elsewise_wire::outside;
use elsewise_wire::threads::{access, exchange};
use llvm_sys::LLVMAtomicOrdering::{self, *};
use llvm_sys::LLVMAtomicRMWBinOp::*;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::*;

/// What an order of memory means for others.
fn ordering(order: LLVMAtomicOrdering) -> u8 {
    let both = access::ACQUIRES | access::RELEASES;
    match order {
        LLVMAtomicOrderingNotAtomic => 0,
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => access::ATOMIC,
        LLVMAtomicOrderingAcquire => access::ATOMIC | access::ACQUIRES,
        LLVMAtomicOrderingRelease => access::ATOMIC | access::RELEASES,
        _ => access::ATOMIC | both,
    }
}

/// Is whatever comes before seen by all?
fn sequential(order: LLVMAtomicOrdering) -> Option<u32> {
    (order == LLVMAtomicOrderingSequentiallyConsistent).then_some(exchange::SEQUENTIAL)
}

pub const REPLACES: u8 = access::WRITES | access::REPLACES;

/// The value that decides whether an atomic leaves memory as it is, where it can be compared.
fn may_keep(value: Value, mode: u32) -> Option<(u32, Value)> {
    let kind = value.ty().kind();
    let simple = match kind {
        LLVMPointerTypeKind => true,
        LLVMIntegerTypeKind => {
            matches!(value.ty().int_width(), 8 | 16 | 32 | 64)
        }
        _ => false,
    };
    simple.then_some((mode, value))
}

/// Functions of others that change nothing on which the caller's next steps depend.
const WAITING: [&str; 8] = [
    "sched_yield",
    "pthread_yield",
    "thrd_yield",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "thrd_sleep",
];

/// May the function change what the caller goes by, without saying so?
fn is_foreign(callee: Option<&(Value, String)>) -> bool {
    let Some((function, name)) = callee else {
        return true;
    };
    let defined = !function.is_declaration();
    let harmless = name.starts_with("llvm.") && !name.starts_with("llvm.x86.rd");
    !defined && !harmless && !WAITING.contains(&name.as_str())
}

/// What a call touches outside of memory.
enum Goes {
    Nowhere,
    /// And whether a thread that was cancelled ends there.
    There(outside::Use, bool),
    /// Whatever the callee touches, if it is not instrumented.
    Unknown,
}

fn outside_of(call: Value, callee: Option<&(Value, String)>, output: bool) -> Goes {
    if is_model(call) {
        return Goes::Nowhere;
    }
    let Some((function, name)) = callee else {
        return Goes::Unknown;
    };
    if has_body(*function) {
        return Goes::Nowhere;
    }
    let model = name.strip_prefix("__elw_m_");
    let plain = model.unwrap_or(name);
    match outside::of(plain) {
        Some(touched) => Goes::There(touched, outside::is_cancellation_point(plain)),
        None if output || model.is_some() => Goes::Nowhere,
        None if names::reads_nothing(name) || outside::touches_nothing(name) => Goes::Nowhere,
        None => Goes::Unknown,
    }
}

/// Says that whatever comes before is seen by all.
pub fn fence(ir: &Ir, number: Value) {
    let flags = u32::from(ordering(LLVMAtomicOrderingSequentiallyConsistent));
    let flags = ir.const32(flags | exchange::SEQUENTIAL);
    ir.call(
        "__elw_touch",
        None,
        &[number, ir.const64(0), ir.const64(0), flags],
    );
}

impl Emitter<'_> {
    /// Says that code goes on elsewhere: a thread that comes back from there may not be as it was, and others may see
    /// what it does there. Of output it is known that the first is not so.
    pub fn leaves(&mut self, call: Value, callee: Option<&(Value, String)>, output: bool) {
        let ir = self.ir;
        let given = self.given(call, callee);
        let Some(touches) = &self.touches else {
            return;
        };
        let (several, within) = (touches.several, touches.within);
        let foreign = !output && is_foreign(callee);
        let outside = outside_of(call, callee, output);
        if !foreign && given.is_empty() && matches!(outside, Goes::Nowhere) {
            return;
        }
        // Nothing comes between some calls and the return of their caller.
        let ends = call.opcode() == LLVMCall && !is_must_tail(call);
        if ends && matches!(outside, Goes::There(..)) {
            ir.before(ir::next(call));
            let no = ir.i8.null();
            ir.store(no, within);
        }
        let unknown = matches!(outside, Goes::Unknown) && given.is_empty();
        let pointers = if unknown {
            self.pointers(call)
        } else {
            Vec::new()
        };
        self.if_several(call, several, |number| {
            if foreign {
                let nothing = [number, ir.const64(0), ir.const64(0), ir.const32(0)];
                ir.call("__elw_touch", None, &nothing);
            }
            match outside {
                Goes::Nowhere => {}
                Goes::Unknown => {
                    let callee = ir.as_i64(call.called());
                    ir.call("__elw_outside_unknown", None, &[number, callee]);
                    for (pointer, size) in pointers {
                        let given = [number, callee, ir.as_i64(pointer), ir.const64(size)];
                        ir.call("__elw_given_unknown", None, &given);
                    }
                }
                Goes::There(touched, cancels) => {
                    let target = call.arguments().get(touched.argument).copied();
                    let target = target.filter(|value| ir.shape_of(*value).is_some());
                    let all = [
                        number,
                        ir.const32(touched.reads),
                        ir.const32(touched.writes),
                        target.map_or(ir.const64(0), |value| ir.as_i64(value)),
                        ir.const32(touched.flags(cancels, ends)),
                    ];
                    ir.call("__elw_outside", None, &all);
                }
            }
            for one in &given {
                one.emit(ir, number);
            }
        });
    }

    /// The processor's own fence.
    pub fn touch_fence(&mut self, i: Value) {
        let ir = self.ir;
        if let Some(several) = self.touches.as_ref().map(|touches| touches.several) {
            self.if_several(i, several, |number| fence(ir, number));
        }
    }

    /// Code before an instruction for when there are several threads; it is given a site.
    pub fn if_several(&mut self, i: Value, several: Value, code: impl FnOnce(Value)) {
        let ir = self.ir;
        self.flush(i);
        let site = self
            .sites
            .add(elsewise_wire::map::SiteKind::Value, i, Vec::new());
        ir.before(i);
        let test = ir.is_not_zero(ir.zext64(ir.load(ir.i8, several)));
        let head = i.block();
        let rest = i.split_before();
        let slow = ir.new_block(rest);
        ir.unlikely_branch(head, test, slow, rest);
        ir.at_end(slow, i);
        code(self.site_number(site));
        ir.at_end(slow, i);
        ir.jump(rest);
        ir.before(i);
    }

    /// Says what the instruction is about to touch. Ends the group: others may come between.
    pub fn touch(&mut self, i: Value) {
        let ir = self.ir;
        let size_of = |value: Value| ir.const64(ir.store_size(value.ty()));
        let mut kept = None;
        let mut kind = None;
        let (first, second) = {
            match i.opcode() {
                LLVMFence => {
                    // No memory: what it orders are the atomics around it.
                    let nothing = ir.ptr.null();
                    let flags = ordering(i.ordering());
                    kind = sequential(i.ordering());
                    ((nothing, ir.const64(0), flags), None)
                }
                LLVMLoad => {
                    let flags = ordering(i.ordering()) & !access::RELEASES;
                    ((i.operand(0), size_of(i), flags), None)
                }
                LLVMStore => {
                    let flags = ordering(i.ordering()) & !access::ACQUIRES;
                    let size = size_of(i.operand(0));
                    kind = sequential(i.ordering());
                    ((i.operand(1), size, flags | access::WRITES), None)
                }
                LLVMAtomicRMW => {
                    let flags = ordering(i.ordering()) | REPLACES;
                    if i.modifies_by() == LLVMAtomicRMWBinOpXchg {
                        kept = may_keep(i.operand(1), exchange::IF_OTHER);
                    }
                    ((i.operand(0), size_of(i.operand(1)), flags), None)
                }
                LLVMAtomicCmpXchg => {
                    let flags = ordering(i.success_ordering()) | REPLACES;
                    let otherwise = ordering(i.failure_ordering());
                    let mode = match otherwise & access::ACQUIRES {
                        0 => exchange::IF_EQUAL | exchange::THEN_LOOSE,
                        _ => exchange::IF_EQUAL,
                    };
                    kept = may_keep(i.operand(1), mode);
                    ((i.operand(0), size_of(i.operand(1)), flags), None)
                }
                _ => {
                    // A copy, or memory that is filled.
                    let [to, from, size] = [0, 1, 2].map(|index| i.operand(index));
                    let copies = from.ty() == ir.ptr;
                    let size = if size.ty() == ir.i64 {
                        size
                    } else {
                        return;
                    };
                    let from = copies.then_some((from, size, 0));
                    ((to, size, access::WRITES), from)
                }
            }
        };
        let Some(touches) = &mut self.touches else {
            return;
        };
        let mut seen = vec![first];
        seen.extend(second);
        seen.retain(|(address, ..)| !touches.is_private(*address));
        let several = touches.several;
        if seen.is_empty() {
            return;
        }
        self.if_several(i, several, |number| {
            for (address, size, flags) in seen {
                let (mode, value) = kept.unzip();
                let flags = ir.const32(u32::from(flags) | mode.or(kind).unwrap_or(0));
                let arguments = [number, ir.as_i64(address), size, flags];
                match value {
                    Some(value) => {
                        let arguments = [&arguments[..], &[ir.as_i64(value)]].concat();
                        ir.call("__elw_exchange", None, &arguments)
                    }
                    None => ir.call("__elw_touch", None, &arguments),
                };
            }
        });
    }
}
