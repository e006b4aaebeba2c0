//! Memory that other threads may see: before such an access, code says what it is about to touch,
//! if there are other threads.

use crate::calls::is_must_tail;
use crate::emit::Emitter;
use crate::ir::{self, Ir, Value};
use crate::llvm::Module;
use crate::{module, names};
use elsewise_wire::outside;
use elsewise_wire::threads::{access, exchange};
use llvm_sys::LLVMAtomicOrdering::{self, *};
use llvm_sys::LLVMAtomicRMWBinOp::*;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::*;
use std::collections::HashMap;

/// What the runtime knows of threads, in a module whose code may be run by several.
pub struct Touches {
    /// Where it says that there are several.
    pub several: Value,
    /// And where it is told that a call has ended which touches the outside.
    within: Value,
    /// Variables of the function, and whether nobody else can see them.
    private: HashMap<Value, bool>,
    /// The same of variables of which each thread has its own.
    own: HashMap<Value, bool>,
}

/// Set for the compiler where the program is said to have threads (`-pthread`).
const SAID: &str = "ELSEWISE_THREADS";

/// Functions of which one is named where threads are started.
const STARTS: [&str; 3] = [
    "pthread_create",
    "thrd_create",
    "_ZNSt6thread15_M_start_thread",
];

/// Is the module's code run by several threads, as far as it can tell?
pub fn has_threads(module: Module) -> bool {
    let functions = module.functions();
    let named = |prefix: &str| {
        let mut names = functions.iter().map(|function| function.name());
        names.any(|name| name.starts_with(prefix))
    };
    std::env::var_os(SAID).is_some() || STARTS.into_iter().any(named)
}

impl Touches {
    pub fn new(ir: &Ir) -> Option<Touches> {
        has_threads(ir.module).then(|| {
            let global = |name| ir.module.add_global(name, ir.i8);
            Touches {
                several: global("__elw_threads"),
                within: global("__elw_within"),
                private: HashMap::new(),
                own: HashMap::new(),
            }
        })
    }

    pub fn begin_function(&mut self) {
        self.private.clear();
    }

    pub fn is_private(&mut self, mut address: Value) -> bool {
        while address.is_gep_instruction() {
            address = address.operand(0);
        }
        if address.is_global_variable() {
            return address.is_constant_variable();
        }
        if is_own_address(address) {
            let variable = address.operand(0);
            let own = self.own.entry(variable);
            return *own.or_insert_with(|| stays_with_thread(variable));
        }
        if !address.is_alloca() {
            return false;
        }
        *self
            .private
            .entry(address)
            .or_insert_with(|| stays_here(address))
    }
}

/// Is it where the running thread has a variable of its own?
fn is_own_address(value: Value) -> bool {
    let call = value.is_plain_call();
    call && value
        .called()
        .name()
        .starts_with("llvm.threadlocal.address")
}

/// Is a variable of which each thread has its own used for nothing but accesses, as far as the module can tell?
fn stays_with_thread(variable: Value) -> bool {
    let stays = |user: &Value| is_own_address(*user) && stays_here(*user);
    variable.users().iter().all(stays)
}

/// Is the address used for nothing but accesses?
fn stays_here(address: Value) -> bool {
    address.users().into_iter().all(|user| match user.opcode() {
        LLVMLoad => true,
        LLVMStore => user.operand(0) != address,
        LLVMGetElementPtr => stays_here(user),
        LLVMCall => {
            let callee = user.called().name();
            [
                "llvm.lifetime.",
                "llvm.memset.",
                "llvm.memcpy.",
                "llvm.dbg.",
            ]
            .iter()
            .any(|name| callee.starts_with(name))
        }
        LLVMICmp => true,
        _ => false,
    })
}

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
    if module::is_model(call) {
        return Goes::Nowhere;
    }
    let Some((function, name)) = callee else {
        return Goes::Unknown;
    };
    if module::has_body(*function) {
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
        let Some(touches) = &self.touches else {
            return;
        };
        let (several, within) = (touches.several, touches.within);
        let foreign = !output && is_foreign(callee);
        let outside = outside_of(call, callee, output);
        if !foreign && matches!(outside, Goes::Nowhere) {
            return;
        }
        // Nothing comes between some calls and the return of their caller.
        let ends = call.opcode() == LLVMCall && !is_must_tail(call);
        if ends && matches!(outside, Goes::There(..)) {
            ir.before(ir::next(call));
            let no = ir.i8.null();
            ir.store(no, within);
        }
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
