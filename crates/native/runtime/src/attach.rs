//! How the runtime finds the trace that the engine prepared.

use crate::shared::state;
use crate::subject_calls;
use crate::sys;
use core::ffi::{c_char, c_int};
use core::ptr;
use elsewise_wire::{ENV_CTL, ENV_RUN, ENV_SHM, Header, MAGIC, VERSION};

fn environment(name: &str) -> *const c_char {
    let mut buffer = [0u8; 32];
    buffer[..name.len()].copy_from_slice(name.as_bytes());
    // SAFETY: names are shorter than the buffer, so that a NUL follows.
    unsafe { sys::getenv(buffer.as_ptr().cast()) }
}

/// The subject's own children are nobody's runs: they must not find the trace.
fn forget(name: &str) {
    let mut buffer = [0u8; 32];
    buffer[..name.len()].copy_from_slice(name.as_bytes());
    // SAFETY: as above; no other thread is there yet.
    unsafe { sys::unsetenv(buffer.as_ptr().cast()) };
}

/// Reads a decimal number and moves past it.
///
/// # Safety
/// A text.
unsafe fn number(text: &mut *const c_char) -> c_int {
    let mut value: c_int = 0;
    // SAFETY: a text ends by a NUL, which is no digit.
    unsafe {
        while (**text as u8).is_ascii_digit() {
            value = value
                .wrapping_mul(10)
                .wrapping_add((**text as u8 - b'0') as c_int);
            *text = text.add(1);
        }
    }
    value
}

/// Maps the trace that the engine prepared, if there is one, or a case in a file.
pub fn attach() {
    let state = state();
    let mut shm = environment(ENV_SHM);
    let mut control = environment(ENV_CTL);
    if shm.is_null() || control.is_null() {
        return attach_file();
    }
    // SAFETY: values of variables are texts; the engine has laid out what is mapped.
    unsafe {
        let fd = number(&mut shm);
        state.control = number(&mut control);
        if *control != 0 {
            control = control.add(1);
        }
        state.status = number(&mut control);
        forget(ENV_SHM);
        forget(ENV_CTL);
        map(fd, sys::MAP_SHARED);
    }
}

/// The file keeps its case for the next run: what this one writes is its own.
fn attach_file() {
    let path = environment(ENV_RUN);
    if path.is_null() {
        return;
    }
    // SAFETY: the value of a variable is a text.
    unsafe {
        let fd = subject_calls::open(path, 0, 0);
        forget(ENV_RUN);
        state().alone = fd >= 0 && map(fd, sys::MAP_PRIVATE | sys::MAP_NORESERVE);
    }
}

/// Maps what is laid out in a file, if it is what this runtime knows.
///
/// # Safety
/// A file that begins as a trace does is one: its offsets are within it.
unsafe fn map(fd: c_int, flags: c_int) -> bool {
    let state = state();
    // SAFETY: new mappings, of which the first is looked at before the second is believed; a shorter file
    // than a header is none of ours, and ends the process.
    unsafe {
        let map = |size: usize| {
            let protection = sys::PROT_READ | sys::PROT_WRITE;
            subject_calls::mmap(ptr::null_mut(), size, protection, flags, fd, 0)
        };
        let head = map(core::mem::size_of::<Header>());
        if head as isize == -1 {
            return false;
        }
        let header = head.cast::<Header>();
        if (*header).magic != MAGIC || (*header).version != VERSION {
            return false;
        }
        let base = map((*header).size as usize);
        if base as isize == -1 {
            return false;
        }
        sys::close(fd);
        let base = base.cast::<u8>();
        let header = base.cast::<Header>();
        state.nodes = base.add((*header).node_offset as usize).cast();
        state.events = base.add((*header).event_offset as usize).cast();
        state.coverage = base.add((*header).coverage_offset as usize);
        state.input = base.add((*header).input_offset as usize);
        state.header = header;
    }
    true
}
