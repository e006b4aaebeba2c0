//! Processes that a run forks: they go on with a trace of their own, which nobody reads, so that
//! the run's stays the run's.

use crate::shared::state;
use crate::subject_calls;
use crate::sys;
use crate::threads::channels;
use core::ffi::c_void;
use core::mem::size_of;
use core::ptr;
use elsewise_wire::{Header, Node, Reason};

/// From now on, forks are noticed. `vfork` is not, and need not be: its child only starts another
/// program.
pub fn watch() {
    // Where this fails for want of memory, so will what follows.
    // SAFETY: functions of the runtime, which is there until the end.
    unsafe { sys::__register_atfork(None, Some(in_parent), Some(in_child), ptr::null_mut()) };
}

extern "C" fn in_parent() {
    state().opaque(u32::MAX, Reason::Children);
    channels::are_outside();
}

/// Puts private memory in place of what the run shares with the engine, but for the case, which is
/// only read. Of what is there, the header and the nodes are used again.
extern "C" fn in_child() {
    channels::are_outside();
    let state = state();
    if !state.traced() {
        return;
    }
    let base = state.header.cast::<u8>();
    let header = state.header();
    let head = header.input_offset as usize;
    let rest = header.coverage_offset as usize;
    let size = header.size as usize;
    let nodes = header.nodes.min(header.node_capacity) as usize * size_of::<Node>();
    let at_nodes = state.nodes.cast::<c_void>();
    // SAFETY: the parts of the trace that are replaced are mapped, and what of them is used again is saved before.
    unsafe {
        let saved = map(ptr::null_mut(), size_of::<Header>() + nodes, 0);
        let saved_nodes = saved.cast::<u8>().add(size_of::<Header>()).cast();
        sys::memcpy(saved, base.cast(), size_of::<Header>());
        sys::memcpy(saved_nodes, at_nodes, nodes);
        map(base.cast(), head, sys::MAP_FIXED);
        map(base.add(rest).cast(), size - rest, sys::MAP_FIXED);
        sys::memcpy(base.cast(), saved, size_of::<Header>());
        sys::memcpy(at_nodes, saved_nodes, nodes);
        subject_calls::munmap(saved, size_of::<Header>() + nodes);
    }
    header.events = 0;
}

/// Private memory of zeros.
///
/// # Safety
/// Where it is put by force, nothing else is used any more.
unsafe fn map(at: *mut c_void, size: usize, fixed: i32) -> *mut c_void {
    let protection = sys::PROT_READ | sys::PROT_WRITE;
    let flags = sys::MAP_PRIVATE | sys::MAP_ANONYMOUS | sys::MAP_NORESERVE | fixed;
    // SAFETY: as the caller says.
    let mapped = unsafe { subject_calls::mmap(at, size, protection, flags, -1, 0) };
    if mapped as isize == -1 {
        // It must not go on with the run's trace.
        sys::_exit(70);
    }
    mapped
}
