//! Processes that a run would start while it has several threads: only the one that calls goes on in
//! the child, with locks that others hold, and nobody follows it. So that fails, as it may on any
//! system that is short of something, and the engine is told.

use super::{channels, own, several};
use crate::first_input::first_input;
use crate::frame::called;
use crate::input_calls;
use crate::memory::memory_is_lost;
use crate::shared::state;
use crate::sys::{self, EAGAIN};
use core::arch::naked_asm;
use core::ffi::c_int;
use elsewise_wire::Reason;

/// A child that goes on with the program: runs begin before it, so that parent and child are of the same run.
fn may_fork(site: u32) -> bool {
    first_input();
    !refused(site)
}

/// Is there to be no child here?
fn refused(site: u32) -> bool {
    let refused = several() && own::moves();
    if refused {
        state().opaque(site, Reason::Fork);
        sys::set_errno(EAGAIN);
    }
    refused
}

/// How far behind a pointer labels are looked for.
const LOOK: u64 = 64;

/// What starts another program, which has whatever is open here.
fn starts(site: u32, name: u64, failure: u64, call: impl FnOnce() -> u64) -> u64 {
    memory_is_lost(site, name, LOOK);
    if refused(site) {
        return failure;
    }
    channels::are_outside();
    input_calls::starts_program(site);
    call()
}

super::names::in_calls_of! {
    __elw_m_fork, c"fork": () -> c_int = |site, real| match may_fork(site) {
        true => real.call([]) as c_int,
        false => -1,
    };
    __elw_m__Fork, c"_Fork": () -> c_int = |site, real| match may_fork(site) {
        true => real.call([]) as c_int,
        false => -1,
    };
    __elw_m_system, c"system": (command: u64) -> c_int = |site, real| {
        starts(site, command, u64::MAX, || real.call([command])) as c_int
    };
    __elw_m_popen, c"popen": (command: u64, mode: u64) -> u64 = |site, real| {
        first_input();
        starts(site, command, 0, || real.call([command, mode]))
    };
    __elw_m_posix_spawn, c"posix_spawn":
        (to: u64, path: u64, actions: u64, how: u64, arguments: u64, environment: u64) -> c_int = |site, real| {
        let all = [to, path, actions, how, arguments, environment];
        starts(site, path, EAGAIN as u64, || real.call(all)) as c_int
    };
    __elw_m_posix_spawnp, c"posix_spawnp":
        (to: u64, path: u64, actions: u64, how: u64, arguments: u64, environment: u64) -> c_int = |site, real| {
        let all = [to, path, actions, how, arguments, environment];
        starts(site, path, EAGAIN as u64, || real.call(all)) as c_int
    };
}

/// Before `vfork`: 1 if there is to be no child.
extern "C" fn before_vfork() -> c_int {
    let (_, site, _) = called::<0>(__elw_m_vfork as *const ());
    if !state().traced() {
        return 0;
    }
    let refused = refused(site);
    if !refused {
        input_calls::starts_program(site);
    }
    refused.into()
}

/// `vfork` comes back twice to its caller's frame, so it is gone to, not called.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn __elw_m_vfork() -> c_int {
    naked_asm!(
        "sub rsp, 8",
        "call {before}",
        "add rsp, 8",
        "test eax, eax",
        "jnz 2f",
        "jmp vfork@PLT",
        "2:",
        "mov eax, -1",
        "ret",
        before = sym before_vfork,
    )
}
