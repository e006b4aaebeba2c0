//! What containment and limits refuse to a run: a file that it may not write, a socket, memory. Outside it
//! might get it, so what comes of the refusal is not what the program does there, and counts.

use crate::counted;
use crate::shared::state;
use crate::sys::{self, direct, number, read_text};
use elsewise_wire::{Reason, calls};

/// May the call be refused, so that somebody has to look at its result? Reading is refused to nobody but of
/// devices, and may wait for long.
pub fn may_be(number: i64, arguments: [i64; 6]) -> bool {
    (opens(number) && (!reads_only(number, arguments) || names_device(number, arguments)))
        || asks_to_write(number, arguments)
        || (number == number::IOCTL && arguments[1] as u32 == SET_FLAGS)
        || (number == number::KILL && is_of_others(arguments[0]))
        || PRIVILEGED.contains(&number)
        || calls::changes_attributes(number)
        || (calls::may_be_refused(number) && !WAITING.contains(&number))
        || matches!(
            number,
            number::MMAP
                | number::MREMAP
                | number::TRUNCATE
                | number::RENAME
                | number::MKDIR
                | number::RMDIR
                | number::LINK
                | number::UNLINK
                | number::SYMLINK
                | number::MKDIRAT
                | number::UNLINKAT
                | number::RENAMEAT
                | number::LINKAT
                | number::SYMLINKAT
                | number::RENAMEAT2
        )
}

/// May wait for long, on what a call before it had to get.
const WAITING: [i64; 7] = [
    number::SEMOP,
    number::MSGSND,
    number::MSGRCV,
    number::SEMTIMEDOP,
    number::MQ_TIMEDSEND,
    number::MQ_TIMEDRECEIVE,
    number::IO_URING_ENTER,
];

/// What reaches into other processes, changes the whole system, or raises limits, by its arguments: root may, or
/// who asks outside.
const PRIVILEGED: [i64; 11] = [
    number::PRLIMIT,
    number::SETRLIMIT,
    number::SETPRIORITY,
    number::SCHED_SETPARAM,
    number::SCHED_SETSCHEDULER,
    number::SCHED_SETAFFINITY,
    number::SCHED_SETATTR,
    number::MKNOD,
    number::MKNODAT,
    number::ADJTIMEX,
    number::CLOCK_ADJTIME,
];

/// `FS_IOC_SETFLAGS`: attributes that only its `ioctl` changes.
const SET_FLAGS: u32 = 0x4008_6602;

/// Does it ask whether something may be written?
fn asks_to_write(number: i64, [_, b, c, ..]: [i64; 6]) -> bool {
    const WRITE: i64 = 2;
    match number {
        number::ACCESS => b & WRITE != 0,
        number::FACCESSAT | number::FACCESSAT2 => c & WRITE != 0,
        _ => false,
    }
}

fn names_device(number: i64, [a, b, ..]: [i64; 6]) -> bool {
    let mut text = [0u8; 5];
    let path = if number == number::OPEN { a } else { b };
    read_text(path, &mut text) == b"/dev/"
}

/// Is it the number of another process, or does it stand for all?
fn is_of_others(process: i64) -> bool {
    process as i32 == -1 || process > 0 && process != sys::own_process()
}

fn opens(number: i64) -> bool {
    matches!(
        number,
        number::OPEN | number::CREAT | number::OPENAT | number::OPENAT2
    )
}

fn reads_only(number: i64, [_, b, c, ..]: [i64; 6]) -> bool {
    const WRITES: i64 = 0o3;
    const CREATES: i64 = 0o100;
    let flags = match number {
        number::OPEN => b,
        number::OPENAT => c,
        _ => return false,
    };
    flags & (WRITES | CREATES) == 0
}

/// Looks at what came of a call that may be refused.
pub fn look(number: i64, arguments: [i64; 6], result: i64) {
    let refused = match number {
        number::MMAP | number::MREMAP => {
            result == -i64::from(sys::ENOMEM) && state().header().memory_limit != 0
        }
        number::KILL => result == -i64::from(sys::EPERM),
        number::SETPRIORITY => [sys::EPERM, sys::EACCES]
            .map(|e| -i64::from(e))
            .contains(&result),
        number if PRIVILEGED.contains(&number) => result == -i64::from(sys::EPERM),
        number::ACCESS | number::FACCESSAT | number::FACCESSAT2 => result == -i64::from(sys::EROFS),
        number::IOCTL => [sys::EPERM, sys::EROFS]
            .map(|e| -i64::from(e))
            .contains(&result),
        number::MQ_OPEN => result < 0,
        number if calls::may_be_refused(number) => [sys::EPERM, sys::EACCES, sys::ENOSYS]
            .map(|e| -i64::from(e))
            .contains(&result),
        number if calls::changes_attributes(number) => result == -i64::from(sys::EROFS),
        number if opens(number) => is_refusal(result) && may_open(number, arguments),
        number::RENAME | number::RENAMEAT | number::RENAMEAT2 | number::LINK | number::LINKAT => {
            is_refusal(result) || result == -i64::from(sys::EXDEV)
        }
        _ => is_refusal(result),
    };
    if refused {
        counted::count(Reason::Refused);
    }
}

/// By Landlock, or by a mount that is read-only.
fn is_refusal(result: i64) -> bool {
    result == -i64::from(sys::EACCES) || result == -i64::from(sys::EROFS)
}

/// Would the rights of files alone have let it be opened? `access` asks for nothing else.
fn may_open(number: i64, [a, b, c, ..]: [i64; 6]) -> bool {
    const WRITE: i64 = 2;
    let (folder, path, flags) = match number {
        number::OPEN => (sys::AT_FDCWD.into(), a, b),
        number::CREAT => (sys::AT_FDCWD.into(), a, 1),
        number::OPENAT2 => return true,
        _ => (a, b, c),
    };
    let wanted = match flags & 3 {
        0 => 4,
        1 => WRITE,
        _ => 4 | WRITE,
    };
    // SAFETY: the system looks whether there is a text, and writes nothing.
    let access = |path: i64, wanted: i64| unsafe {
        direct(number::FACCESSAT, folder, path, wanted, 0, 0, 0)
    };
    // Rights are looked at before the mount is.
    let may = |result: i64| result == 0 || result == -i64::from(sys::EROFS);
    match access(path, wanted) {
        result if may(result) => true,
        result if result != -i64::from(sys::ENOENT) => false,
        // It would have to be made.
        _ => {
            let mut text = [0u8; 4096];
            let room = text.len() - 1;
            let path = read_text(path, &mut text[..room]);
            let last = path.iter().rposition(|byte| *byte == b'/');
            match last {
                None => text[..2].copy_from_slice(b".\0"),
                Some(0) => text[1] = 0,
                Some(at) => text[at] = 0,
            }
            may(access(text.as_ptr() as i64, WRITE))
        }
    }
}
