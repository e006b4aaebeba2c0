//! Memory that other threads may see: before such an access, code says what it is about to touch,
//! if there are other threads.

use crate::emit::Emitter;
use crate::ir::{self, Ir, Value, c_string};
use crate::labels::opcode;
use elsewise_wire::threads::access;
use llvm_sys::LLVMAtomicOrdering::{self, *};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::collections::HashMap;

/// What the runtime knows of threads, in a module whose code may be run by several.
pub struct Touches {
    /// Where it says that there are several.
    several: Value,
    /// Variables of the function, and whether nobody else can see them.
    private: HashMap<Value, bool>,
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
fn has_threads(module: LLVMModuleRef) -> bool {
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
            let several = LLVMAddGlobal(ir.module, ir.i8, c_string("__elw_threads").as_ptr());
            Touches {
                several,
                private: HashMap::new(),
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
                return LLVMIsGlobalConstant(address) != 0 || LLVMIsThreadLocal(address) != 0;
            }
            if !LLVMIsACallInst(address).is_null() {
                let callee = ir::name_of(LLVMGetCalledValue(address));
                return callee.starts_with("llvm.threadlocal.address");
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

impl Emitter<'_> {
    /// Says what the instruction is about to touch. Ends the group: others may come between.
    pub fn touch(&mut self, i: Value) {
        let ir = self.ir;
        let size_of = |value| ir.const64(ir.store_size(ir::type_of(value)));
        let (first, second) = unsafe {
            match opcode(i) {
                LLVMLoad => {
                    let flags = ordering(LLVMGetOrdering(i)) & !access::RELEASES;
                    ((ir::operand(i, 0), size_of(i), flags), None)
                }
                LLVMStore => {
                    let flags = ordering(LLVMGetOrdering(i)) & !access::ACQUIRES;
                    let size = size_of(ir::operand(i, 0));
                    ((ir::operand(i, 1), size, flags | access::WRITES), None)
                }
                LLVMAtomicRMW => {
                    let flags = ordering(LLVMGetOrdering(i)) | access::WRITES;
                    ((ir::operand(i, 0), size_of(ir::operand(i, 1)), flags), None)
                }
                LLVMAtomicCmpXchg => {
                    let flags = ordering(LLVMGetCmpXchgSuccessOrdering(i)) | access::WRITES;
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
        let number = self.site_number(site);
        for (address, size, flags) in seen {
            let arguments = [number, ir.as_i64(address), size, ir.const32(flags.into())];
            ir.call("__elw_touch", None, &arguments);
        }
        ir.at_end(slow, i);
        ir.jump(rest);
        ir.before(i);
    }
}
