//! Which memory other threads may see, as far as the module can tell.

use crate::ir::{Ir, Value};
use crate::llvm::Module;
use llvm_sys::LLVMOpcode::*;
use std::collections::HashMap;

/// What the runtime knows of threads, in a module whose code may be run by several.
pub struct Touches {
    /// Where it says that there are several.
    pub several: Value,
    /// And where it is told that a call has ended which touches the outside.
    pub within: Value,
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
