//! Which system calls touch an input past the runtime.

use crate::counted::unfollowed;
use crate::shared::{is_input_file, state};
use crate::subject_calls;
use crate::surroundings::is_own_folder;
use crate::sys::{
    self, FileControl, Stat, direct, file_control, number, read_own, read_text, stat_of,
};
use core::ffi::c_char;
use elsewise_wire::Reason;

/// Does this call, which no model of ours makes, take anything of an input, or ask how long it is?
pub fn touches_input(number: i64, [a, b, c, d, e, ..]: [i64; 6]) -> bool {
    let code = |protection: i64| protection & i64::from(sys::PROT_EXEC) != 0;
    let free_length = || state().header().free_length != 0;
    match number {
        number::READ
        | number::PREAD
        | number::READV
        | number::PREADV
        | number::PREADV2
        | number::SPLICE
        | number::TEE
        | number::COPY_FILE_RANGE => is_input(a),
        number::SENDFILE => is_input(b),
        number::MMAP if d & i64::from(sys::MAP_ANONYMOUS) == 0 => is_input(e),
        number::FSTAT | number::LSEEK => free_length() && is_input(a),
        // Whether it is a terminal does not depend on what is in it.
        number::IOCTL => b != sys::TCGETS && is_input(a),
        number::STAT | number::LSTAT => free_length() && is_input_path(sys::AT_FDCWD.into(), a),
        number::FSTATAT | number::STATX => {
            free_length() && (is_input_path(a, b) || (is_empty(b) && is_input(a)))
        }
        number::OPEN => is_about_input(a),
        number::OPENAT | number::OPENAT2 => is_about_input(b),
        // What is asked for there is not seen; nor is what is copied so.
        number::IO_URING_SETUP | number::PROCESS_VM_READV | number::PROCESS_VM_WRITEV => true,
        // Code that nobody has instrumented, and that may be made of anything.
        number::MMAP => code(c),
        number::MPROTECT | number::PKEY_MPROTECT => code(c),
        number::EXECVE | number::EXECVEAT => is_inherited(),
        _ => false,
    }
}

/// Has somebody read standard input, if that is an input?
pub fn is_begun() -> bool {
    const STANDARD_INPUT: i32 = 0;
    is_input(STANDARD_INPUT.into()) && subject_calls::lseek(STANDARD_INPUT, 0, sys::SEEK_CUR) > 0
}

fn is_input(fd: i64) -> bool {
    stat_of(fd).is_some_and(|stat| state().traced() && is_input_file(state(), &stat))
}

fn is_input_path(folder: i64, path: i64) -> bool {
    let mut stat = Stat::default();
    let to = &raw mut stat as i64;
    // SAFETY: there is room for the answer, and the system looks whether there is a path.
    let found = unsafe { direct(number::FSTATAT, folder, path, to, 0, 0, 0) } == 0;
    found && state().traced() && is_input_file(state(), &stat)
}

fn is_empty(path: i64) -> bool {
    let mut first = [1u8];
    path == 0 || (read_own(&mut first, path) && first[0] == 0)
}

/// Does the next program have an input among its descriptors?
pub fn is_inherited() -> bool {
    const MOST: i64 = 64;
    const CLOSED: i64 = 1;
    (0..MOST).any(|fd| {
        let flags = file_control(fd, FileControl::IsClosedAtExec);
        flags >= 0 && flags & CLOSED == 0 && is_input(fd)
    })
}

/// What the system tells of processes holds arguments, variables, memory, and where descriptors
/// stand.
fn is_about_input(path: i64) -> bool {
    let mut text = [0u8; 64];
    let begin = b"/proc/";
    let text = read_text(path, &mut text);
    if !text.starts_with(begin) {
        return false;
    }
    if is_own_folder(&text[begin.len()..]) {
        return true;
    }
    let last = text.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let given = state().header().given_used > 0;
    let fdinfo: &[u8] = b"/fdinfo/";
    match last {
        b"cmdline" | b"environ" => given,
        b"mem" => true,
        _ => text.windows(fdinfo.len()).any(|part| part == fdinfo),
    }
}

/// A file is opened by a model of ours.
pub fn opens(path: *const c_char) {
    if state().traced() && is_about_input(path as i64) {
        unfollowed();
    }
}

/// For what starts another program by itself: it may read what the run reads.
pub fn starts_program(site: u32) {
    if state().traced() && state().running && is_inherited() {
        state().opaque(site, Reason::Input);
    }
}
