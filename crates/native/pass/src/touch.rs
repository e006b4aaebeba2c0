//! Memory that other threads may see: before such an access, code says what it is about to touch,
//! if there are other threads.

use crate::calls::is_must_tail;
use crate::emit::Emitter;
use crate::ir::{self, Ir, Value, c_string};
use crate::labels::opcode;
use crate::{module, names};
use elsewise_wire::outside;
use elsewise_wire::threads::{access, exchange};
use llvm_sys::LLVMAtomicOrdering::{self, *};
use llvm_sys::LLVMAtomicRMWBinOp::*;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::*;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::collections::HashMap;
use std::ffi::c_char;

/// What the runtime knows of threads, in a module whose code may be run by several.
pub struct Touches {
    /// Where it says that there are several.
    several: Value,
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
pub fn has_threads(module: LLVMModuleRef) -> bool {
    let named = |prefix: &str| unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            if ir::name_of(function).starts_with(prefix) {
                return true;
            }
            function = LLVMGetNextFunction(function);
        }
        false
    };
    std::env::var_os(SAID).is_some() || STARTS.into_iter().any(named)
}

impl Touches {
    pub fn new(ir: &Ir) -> Option<Touches> {
        has_threads(ir.module).then(|| unsafe {
            let global = |name| LLVMAddGlobal(ir.module, ir.i8, c_string(name).as_ptr());
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

    fn is_private(&mut self, mut address: Value) -> bool {
        unsafe {
            while !LLVMIsAGetElementPtrInst(address).is_null() {
                address = ir::operand(address, 0);
            }
            if !LLVMIsAGlobalVariable(address).is_null() {
                return LLVMIsGlobalConstant(address) != 0;
            }
            if is_own_address(address) {
                let variable = ir::operand(address, 0);
                let own = self.own.entry(variable);
                return *own.or_insert_with(|| stays_with_thread(variable));
            }
            if LLVMIsAAllocaInst(address).is_null() {
                return false;
            }
        }
        *self
            .private
            .entry(address)
            .or_insert_with(|| stays_here(address))
    }
}

/// Is it where the running thread has a variable of its own?
fn is_own_address(value: Value) -> bool {
    let call = unsafe { !LLVMIsACallInst(value).is_null() };
    call && ir::name_of(unsafe { LLVMGetCalledValue(value) })
        .starts_with("llvm.threadlocal.address")
}

/// Is a variable of which each thread has its own used for nothing but accesses, as far as the module can tell?
fn stays_with_thread(variable: Value) -> bool {
    let mut at = unsafe { LLVMGetFirstUse(variable) };
    while !at.is_null() {
        let user = unsafe { LLVMGetUser(at) };
        if !is_own_address(user) || !stays_here(user) {
            return false;
        }
        at = unsafe { LLVMGetNextUse(at) };
    }
    true
}

/// Is the address used for nothing but accesses?
fn stays_here(address: Value) -> bool {
    let mut at = unsafe { LLVMGetFirstUse(address) };
    while !at.is_null() {
        unsafe {
            let user = LLVMGetUser(at);
            let stays = match opcode(user) {
                LLVMLoad => true,
                LLVMStore => ir::operand(user, 0) != address,
                LLVMGetElementPtr => stays_here(user),
                LLVMCall => {
                    let callee = ir::name_of(LLVMGetCalledValue(user));
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
            };
            if !stays {
                return false;
            }
            at = LLVMGetNextUse(at);
        }
    }
    true
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

const REPLACES: u8 = access::WRITES | access::REPLACES;

/// The value that decides whether an atomic leaves memory as it is, where it can be compared.
fn may_keep(value: Value, mode: u32) -> Option<(u32, Value)> {
    let kind = unsafe { LLVMGetTypeKind(ir::type_of(value)) };
    let simple = match kind {
        LLVMPointerTypeKind => true,
        LLVMIntegerTypeKind => {
            matches!(
                unsafe { LLVMGetIntTypeWidth(ir::type_of(value)) },
                8 | 16 | 32 | 64
            )
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
    let defined = unsafe { LLVMIsDeclaration(*function) } == 0;
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

/// The text of inline assembly, and what it says of its operands.
pub fn assembly_of(call: Value) -> (String, String) {
    let text = |get: unsafe extern "C" fn(Value, *mut usize) -> *const c_char| unsafe {
        let mut length = 0;
        let begin = get(LLVMGetCalledValue(call), &mut length);
        let bytes = std::slice::from_raw_parts(begin.cast::<u8>(), length);
        String::from_utf8_lossy(bytes).into_owned()
    };
    (
        text(LLVMGetInlineAsmAsmString),
        text(LLVMGetInlineAsmConstraintString),
    )
}

/// Says that whatever comes before is seen by all.
fn fence(ir: &Ir, number: Value) {
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
        let ends = opcode(call) == LLVMCall && !is_must_tail(call);
        if ends && matches!(outside, Goes::There(..)) {
            ir.before(ir::next(call));
            let no = unsafe { LLVMConstNull(ir.i8) };
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
                    let callee = ir.as_i64(unsafe { LLVMGetCalledValue(call) });
                    ir.call("__elw_outside_unknown", None, &[number, callee]);
                }
                Goes::There(touched, cancels) => {
                    let target = ir::arguments(call).get(touched.argument).copied();
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

    /// Assembly is taken for an atomic of the memory that it is given: whoever writes it means one.
    pub fn touch_assembly(&mut self, call: Value, memory: &[(Value, u64)]) {
        let Some(touches) = &mut self.touches else {
            return;
        };
        let several = touches.several;
        let mut seen = memory.to_vec();
        // What is both given and taken is named twice.
        seen.sort_by_key(|(address, _)| *address);
        seen.dedup_by_key(|(address, _)| *address);
        seen.retain(|(address, _)| !touches.is_private(*address));
        let (text, constraints) = assembly_of(call);
        // What it does depends on more than its operands.
        let foreign = ["rd", "cpuid", "getbv", "syscall", "call"]
            .iter()
            .any(|word| text.contains(word));
        let fences = ["mfence", "lock", "xchg"]
            .iter()
            .any(|word| text.contains(word));
        if !foreign && !fences && seen.is_empty() {
            return;
        }
        let ir = self.ir;
        let both = access::ACQUIRES | access::RELEASES;
        let flags = access::ATOMIC
            | match constraints.contains("=*") || constraints.contains("~{memory}") {
                true => REPLACES | both,
                false => access::ACQUIRES,
            };
        self.if_several(call, several, |number| {
            if foreign {
                let nothing = [number, ir.const64(0), ir.const64(0), ir.const32(0)];
                ir.call("__elw_touch", None, &nothing);
            }
            if fences {
                fence(ir, number);
            }
            for (address, size) in seen {
                let (at, size) = (ir.as_i64(address), ir.const64(size));
                let arguments = [number, at, size, ir.const32(flags.into())];
                ir.call("__elw_touch", None, &arguments);
            }
        });
    }

    /// Code before an instruction for when there are several threads; it is given a site.
    fn if_several(&mut self, i: Value, several: Value, code: impl FnOnce(Value)) {
        let ir = self.ir;
        self.flush(i);
        let site = self
            .sites
            .add(elsewise_wire::map::SiteKind::Value, i, Vec::new());
        ir.before(i);
        let test = ir.is_not_zero(ir.zext64(ir.load(ir.i8, several)));
        let head = ir::parent(i);
        let rest = ir::split_before(i);
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
        let size_of = |value| ir.const64(ir.store_size(ir::type_of(value)));
        let mut kept = None;
        let mut kind = None;
        let (first, second) = unsafe {
            match opcode(i) {
                LLVMFence => {
                    // No memory: what it orders are the atomics around it.
                    let nothing = LLVMConstNull(ir.ptr);
                    let flags = ordering(LLVMGetOrdering(i));
                    kind = sequential(LLVMGetOrdering(i));
                    ((nothing, ir.const64(0), flags), None)
                }
                LLVMLoad => {
                    let flags = ordering(LLVMGetOrdering(i)) & !access::RELEASES;
                    ((ir::operand(i, 0), size_of(i), flags), None)
                }
                LLVMStore => {
                    let flags = ordering(LLVMGetOrdering(i)) & !access::ACQUIRES;
                    let size = size_of(ir::operand(i, 0));
                    kind = sequential(LLVMGetOrdering(i));
                    ((ir::operand(i, 1), size, flags | access::WRITES), None)
                }
                LLVMAtomicRMW => {
                    let flags = ordering(LLVMGetOrdering(i)) | REPLACES;
                    if LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg {
                        kept = may_keep(ir::operand(i, 1), exchange::IF_OTHER);
                    }
                    ((ir::operand(i, 0), size_of(ir::operand(i, 1)), flags), None)
                }
                LLVMAtomicCmpXchg => {
                    let flags = ordering(LLVMGetCmpXchgSuccessOrdering(i)) | REPLACES;
                    let otherwise = ordering(LLVMGetCmpXchgFailureOrdering(i));
                    let mode = match otherwise & access::ACQUIRES {
                        0 => exchange::IF_EQUAL | exchange::THEN_LOOSE,
                        _ => exchange::IF_EQUAL,
                    };
                    kept = may_keep(ir::operand(i, 1), mode);
                    ((ir::operand(i, 0), size_of(ir::operand(i, 1)), flags), None)
                }
                _ => {
                    // A copy, or memory that is filled.
                    let [to, from, size] = [0, 1, 2].map(|index| ir::operand(i, index));
                    let copies = ir::type_of(from) == ir.ptr;
                    let size = if ir::type_of(size) == ir.i64 {
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
