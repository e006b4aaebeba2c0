//! A seccomp filter that refuses sockets, and what changes the whole system.
//!
//! Written by hand: it is a list of numbers, and installing it between fork and exec must not
//! allocate.

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

/// Sockets, but for pairs that the process has for itself; `io_uring` could make them unseen.
const SOCKETS: [(libc::c_long, i32); 2] = [
    (libc::SYS_socket, libc::EACCES),
    (libc::SYS_io_uring_setup, libc::ENOSYS),
];

/// What changes the whole system. Only root may do it anyway, and subjects may run as root.
const SYSTEM: [libc::c_long; 16] = [
    libc::SYS_bpf,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_iopl,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_mount,
    libc::SYS_pivot_root,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_umount2,
];

/// Everything is allowed but for the system calls above. The 32-bit interfaces have other numbers
/// for everything, and no program that we build uses them.
pub fn filter(network: bool) -> Filter {
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let equal = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    let at_least = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    let give = libc::BPF_RET | libc::BPF_K;
    let refuse = |errno: i32| libc::SECCOMP_RET_ERRNO | errno as u32;
    let mut program = vec![
        statement(load, ARCHITECTURE),
        jump(equal, AUDIT_ARCH_X86_64, 1, 0),
        statement(give, refuse(libc::ENOSYS)),
        statement(load, NUMBER),
        jump(at_least, X32, 0, 1),
        statement(give, refuse(libc::ENOSYS)),
    ];
    let sockets = SOCKETS.into_iter().filter(|_| !network);
    let system = SYSTEM.map(|number| (number, libc::EPERM));
    for (number, errno) in sockets.chain(system) {
        program.push(jump(equal, number as u32, 0, 1));
        program.push(statement(give, refuse(errno)));
    }
    program.push(statement(give, libc::SECCOMP_RET_ALLOW));
    Filter(program)
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
