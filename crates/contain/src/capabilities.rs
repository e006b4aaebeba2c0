//! What a subject that runs as root may do as root: what concerns files and its own processes. What concerns the
//! whole system (devices, the clock, modules, limits, other people's processes) is taken from it, and from all
//! that it starts.

use std::io;

const CHOWN: u32 = 0;
const DAC_OVERRIDE: u32 = 1;
const FOWNER: u32 = 3;
const FSETID: u32 = 4;
const KILL: u32 = 5;
const SETGID: u32 = 6;
const SETUID: u32 = 7;
const SETPCAP: u32 = 8;
const NET_BIND_SERVICE: u32 = 10;
const NET_BROADCAST: u32 = 11;
const NET_ADMIN: u32 = 12;
const NET_RAW: u32 = 13;
const IPC_LOCK: u32 = 14;
const IPC_OWNER: u32 = 15;
const SYS_CHROOT: u32 = 18;
const LEASE: u32 = 28;

const KEPT: u64 = 1 << CHOWN
    | 1 << DAC_OVERRIDE
    | 1 << FOWNER
    | 1 << FSETID
    | 1 << KILL
    | 1 << SETGID
    | 1 << SETUID
    | 1 << SETPCAP
    | 1 << NET_BIND_SERVICE
    | 1 << IPC_LOCK
    | 1 << IPC_OWNER
    | 1 << SYS_CHROOT
    | 1 << LEASE;
const NETWORK: u64 = 1 << NET_BROADCAST | 1 << NET_ADMIN | 1 << NET_RAW;

/// `struct __user_cap_header_struct` and two of `__user_cap_data_struct`.
#[repr(C)]
struct Header {
    version: u32,
    pid: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Half {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

const VERSION: u32 = 0x2008_0522;

/// Only system calls: this stands between fork and exec.
pub fn lower(network: bool) -> io::Result<()> {
    let kept = KEPT | if network { NETWORK } else { 0 };
    // What the next program may have. Who may not change it has nothing to lose, or is told so by `keep`.
    for capability in (0..64).filter(|capability| kept >> capability & 1 == 0) {
        // SAFETY: a plain system call; numbers that the system does not know are an error without effect.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
    // SAFETY: as above.
    unsafe {
        libc::prctl(
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_CLEAR_ALL,
            0,
            0,
            0,
        )
    };
    keep(kept)
}

/// For a process that needs none.
pub fn drop_all() {
    // Fewer rights can always be had.
    let _ = keep(0);
}

fn keep(kept: u64) -> io::Result<()> {
    let header = Header {
        version: VERSION,
        pid: 0,
    };
    let mut halves = [Half::default(); 2];
    // SAFETY: structures of the size that this version has.
    unsafe {
        if libc::syscall(libc::SYS_capget, &raw const header, halves.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        for (half, kept) in halves.iter_mut().zip([kept as u32, (kept >> 32) as u32]) {
            half.effective &= kept;
            half.permitted &= kept;
            half.inheritable = 0;
        }
        match libc::syscall(libc::SYS_capset, &raw const header, halves.as_ptr()) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
