//! A seccomp filter that refuses sockets, and the two ways around it.
//!
//! Written by hand: it is a dozen instructions, and the crates that make filters allocate and
//! check at length what is obvious here.

use std::io;

// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
/// System calls of the x32 interface have this bit.
const X32: u32 = 0x4000_0000;
/// Without it, some kernels slow the process down against speculation.
const SPEC_ALLOW: libc::c_ulong = 1 << 2;

pub struct Filter(Vec<libc::sock_filter>);

fn statement(code: u32, k: u32) -> libc::sock_filter {
    jump(code, k, 0, 0)
}

fn jump(code: u32, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    }
}

/// Refuses to make sockets, but for pairs that the process has for itself. `io_uring` could make
/// them unseen; the 32-bit interfaces have other numbers for everything.
pub fn no_sockets() -> Filter {
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let equal = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    let at_least = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    let give = libc::BPF_RET | libc::BPF_K;
    let refuse = |errno: i32| libc::SECCOMP_RET_ERRNO | errno as u32;
    Filter(vec![
        statement(load, ARCHITECTURE),
        jump(equal, AUDIT_ARCH_X86_64, 1, 0),
        statement(give, refuse(libc::ENOSYS)),
        statement(load, NUMBER),
        jump(at_least, X32, 0, 1),
        statement(give, refuse(libc::ENOSYS)),
        jump(equal, libc::SYS_socket as u32, 0, 1),
        statement(give, refuse(libc::EACCES)),
        jump(equal, libc::SYS_io_uring_setup as u32, 0, 1),
        statement(give, refuse(libc::ENOSYS)),
        statement(give, libc::SECCOMP_RET_ALLOW),
    ])
}

impl Filter {
    /// For this process and all that it starts. Needs `PR_SET_NO_NEW_PRIVS`.
    pub fn install(&self) -> io::Result<()> {
        let program = libc::sock_fprog {
            len: self.0.len() as u16,
            filter: self.0.as_ptr().cast_mut(),
        };
        // SAFETY: the kernel only reads as many instructions as said.
        let done = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::c_ulong::from(libc::SECCOMP_SET_MODE_FILTER),
                SPEC_ALLOW,
                &raw const program,
            )
        };
        match done {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
