//! What containment and limits refuse to a run: a file that it may not write, a socket, memory. Outside it
//! might get it, so what comes of the refusal is not what the program does there, and counts.

use crate::kernel::{self, read_text};
use crate::shared::state;
use crate::sys::{self, direct, number};
use elsewise_wire::Reason;

/// May the call be refused, so that somebody has to look at its result? Reading is refused to nobody, and
/// may wait for long.
pub fn may_be(number: i64, arguments: [i64; 6]) -> bool {
    (opens(number) && !reads_only(number, arguments))
        || (number == number::KILL && is_of_others(arguments[0]))
        || PRIVILEGED.contains(&number)
        || matches!(
            number,
            number::MMAP
                | number::MREMAP
                | number::MQ_OPEN
                | number::IO_URING_SETUP
                | number::SOCKET
                | number::TRUNCATE
                | number::RENAME
                | number::MKDIR
                | number::RMDIR
                | number::LINK
                | number::UNLINK
                | number::SYMLINK
                | number::CHMOD
                | number::MKDIRAT
                | number::UNLINKAT
                | number::RENAMEAT
                | number::LINKAT
                | number::SYMLINKAT
                | number::RENAMEAT2
        )
}

/// What reaches into other processes, changes the whole system, or raises limits: root may, or who asks outside.
const PRIVILEGED: [i64; 19] = [
    number::PTRACE,
    number::PROCESS_VM_WRITEV,
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
    number::CLOCK_SETTIME,
    number::SETTIMEOFDAY,
    number::SETHOSTNAME,
    number::SETDOMAINNAME,
    number::MOUNT,
    number::UMOUNT,
];

/// Is it the number of another process?
fn is_of_others(process: i64) -> bool {
    process > 0 && process != unsafe { direct(number::GETPID, 0, 0, 0, 0, 0, 0) }
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
        number if PRIVILEGED.contains(&number) => result == -i64::from(sys::EPERM),
        number::IO_URING_SETUP => [sys::EPERM, sys::ENOSYS]
            .map(|e| -i64::from(e))
            .contains(&result),
        number::MQ_OPEN => result < 0,
        _ if result != -i64::from(sys::EACCES) => false,
        number if opens(number) => may_open(number, arguments),
        _ => true,
    };
    if refused {
        kernel::count(Reason::Refused);
    }
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
    let access = |path: i64, wanted: i64| unsafe {
        direct(number::FACCESSAT, folder, path, wanted, 0, 0, 0)
    };
    match access(path, wanted) {
        0 => true,
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
            access(text.as_ptr() as i64, WRITE) == 0
        }
    }
}
