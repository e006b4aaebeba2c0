//! A seccomp filter that refuses sockets, terminals, and what changes the whole system, made from the table of all
//! system calls (`wire/src/calls.rs`), and what no table of ours has.
//!
//! Written by hand and not by the crate `seccompiler`: a filter of that has one error for all that
//! it refuses, kills a process that makes a 32-bit system call, which would then look like a
//! failure of the subject's, and does not know the numbers of the x32 interface.

use elsewise_wire::calls::{Verdict, calls};
use std::io;

// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
/// The lower half of the first argument; the next is eight bytes on.
const ARGUMENTS: u32 = 16;
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
/// Without it, some kernels slow the process down against speculation.
const SPEC_ALLOW: libc::c_ulong = 1 << 2;

pub struct Filter(Vec<libc::sock_filter>);

/// Of an argument, the lower half: what is an `int` for the system, whatever stands above it.
#[derive(Clone, Copy)]
struct Condition {
    argument: u32,
    mask: u32,
    value: u32,
    /// Holds where it is this value, or where it is not.
    equal: bool,
}

struct Rule {
    number: libc::c_long,
    /// All of them hold.
    conditions: Vec<Condition>,
    errno: i32,
}

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

fn condition(argument: u32, mask: u32, value: u32, equal: bool) -> Condition {
    Condition {
        argument,
        mask,
        value,
        equal,
    }
}

/// Devices, wherever they are made.
fn devices() -> Vec<Rule> {
    let calls = [(libc::SYS_mknod, 1), (libc::SYS_mknodat, 2)];
    let kinds = [libc::S_IFCHR, libc::S_IFBLK];
    let all = calls
        .iter()
        .flat_map(|call| kinds.map(|kind| (*call, kind)));
    all.map(|((number, mode), kind)| Rule {
        number,
        conditions: vec![condition(mode, libc::S_IFMT, kind, true)],
        errno: libc::EPERM,
    })
    .collect()
}

/// What changes processes by their number, for any but the one that asks, and signals to everybody. Where there
/// is a namespace, there are no numbers of others.
fn others() -> Vec<Rule> {
    const ANY: u32 = u32::MAX;
    // The argument that is to be this.
    let calls = [
        (libc::SYS_prlimit64, 0, 0),
        (libc::SYS_sched_setaffinity, 0, 0),
        (libc::SYS_sched_setattr, 0, 0),
        (libc::SYS_sched_setparam, 0, 0),
        (libc::SYS_sched_setscheduler, 0, 0),
        (libc::SYS_setpriority, 0, libc::PRIO_PROCESS),
        (libc::SYS_setpriority, 1, 0),
        (libc::SYS_ioprio_set, 0, 1),
        (libc::SYS_ioprio_set, 1, 0),
        (libc::SYS_migrate_pages, 0, 0),
        (libc::SYS_move_pages, 0, 0),
    ];
    let rule = |(number, argument, own)| Rule {
        number,
        conditions: vec![condition(argument, ANY, own, false)],
        errno: libc::EPERM,
    };
    let everybody = Rule {
        number: libc::SYS_kill,
        conditions: vec![condition(0, ANY, u32::MAX, true)],
        errno: libc::EPERM,
    };
    calls.map(rule).into_iter().chain([everybody]).collect()
}

/// What can be asked of a terminal, and what is no matter of terminals but has a number beside theirs
/// (`FIONREAD`, `FIONBIO`, `FIOCLEX` ...).
const ASKED_OF_TERMINALS: [u32; 23] = [
    0x5401,
    0x5405,
    0x540f,
    0x5411,
    0x5413,
    0x5415,
    0x5419,
    0x541b,
    0x541e,
    0x5421,
    0x5424,
    0x5429,
    0x5450,
    0x5451,
    0x5452,
    0x5456,
    0x5460,
    0x802c_542a,
    0x8004_5430,
    0x8004_5432,
    0x8004_5438,
    0x8004_5439,
    0x8004_5440,
];

/// A run has no terminal. One that it opens by its name, to read, is somebody else's: nothing is typed
/// there (`TIOCSTI`, `TIOCLINUX`), and nothing changed. The error is what any other file gives.
fn terminals() -> Vec<Rule> {
    const COMMAND: u32 = 1;
    let kind = |mask, value| condition(COMMAND, mask, value, true);
    let unasked = ASKED_OF_TERMINALS.map(|command| condition(COMMAND, u32::MAX, command, false));
    let changes = [kind(0xff00, 0x5400)].into_iter().chain(unasked).collect();
    // Keyboards and consoles have commands of their own.
    let keyboards = vec![kind(0xffff_ff00, 0x4b00)];
    let consoles = vec![kind(0xffff_ff00, 0x5600)];
    [changes, keyboards, consoles]
        .into_iter()
        .map(|conditions| Rule {
            number: libc::SYS_ioctl,
            conditions,
            errno: libc::ENOTTY,
        })
        .collect()
}

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const SKIP: u32 = libc::BPF_JMP | libc::BPF_JA;
const AND: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
const GIVE: u32 = libc::BPF_RET | libc::BPF_K;

fn refuse(errno: i32) -> libc::sock_filter {
    statement(GIVE, libc::SECCOMP_RET_ERRNO | errno as u32)
}

/// What is not refused after all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allowed {
    pub network: bool,
    pub tracing: bool,
    /// Other processes cannot be named.
    pub namespace: bool,
}

/// The error with which a call is refused, whatever its arguments are.
fn error(verdict: Verdict, allowed: Allowed) -> Option<u16> {
    match verdict {
        Verdict::Network(error) => (!allowed.network).then_some(error),
        Verdict::Tracing(error) => (!allowed.tracing).then_some(error),
        Verdict::Namespace(error) => (!allowed.namespace).then_some(error),
        Verdict::Refused(error) => Some(error),
        Verdict::Gone => Some(libc::ENOSYS as u16),
        Verdict::Allowed
        | Verdict::Files
        | Verdict::Attributes
        | Verdict::Processes
        | Verdict::Rights
        | Verdict::Limits
        | Verdict::Connected
        | Verdict::Arguments
        | Verdict::Foreign => None,
    }
}

/// What the table refuses, what it does not have, and what is refused for its arguments. The 32-bit interfaces
/// have other numbers for everything, and no program that we build uses them.
pub fn filter(allowed: Allowed) -> Filter {
    let others = others().into_iter().filter(|_| !allowed.namespace);
    let rules = devices().into_iter().chain(others).chain(terminals());
    Filter(program(allowed, rules))
}

/// Ranges of numbers that the table does not have, with the first behind each; and where the last begins, in which
/// all of the x32 interface are.
fn unknown() -> (Vec<(u32, u32)>, u32) {
    let mut ranges = Vec::new();
    let mut next = 0;
    for call in calls() {
        if call.number > next {
            ranges.push((next, call.number));
        }
        next = call.number + 1;
    }
    (ranges, next)
}

fn program(allowed: Allowed, rules: impl Iterator<Item = Rule>) -> Vec<libc::sock_filter> {
    let mut program = vec![
        statement(LOAD, ARCHITECTURE),
        jump(EQUAL, AUDIT_ARCH_X86_64, 1, 0),
        refuse(libc::ENOSYS),
        statement(LOAD, NUMBER),
    ];
    let (unknown, last) = unknown();
    program.push(jump(AT_LEAST, last, 0, 1));
    program.push(refuse(libc::ENOSYS));
    for (from, to) in unknown {
        program.push(jump(AT_LEAST, from, 0, 2));
        program.push(jump(AT_LEAST, to, 1, 0));
        program.push(refuse(libc::ENOSYS));
    }
    for errno in [libc::EPERM, libc::EACCES, libc::ENOSYS] {
        let is_refused = |verdict| error(verdict, allowed) == Some(errno as u16);
        let all = calls().filter(|call| is_refused(call.verdict));
        let numbers: Vec<u32> = all.map(|call| call.number).collect();
        for (index, number) in numbers.iter().enumerate() {
            // To the refusal behind them, past the jump over it.
            let refusal = (numbers.len() - index) as u8;
            program.push(jump(EQUAL, *number, refusal, 0));
        }
        program.push(statement(SKIP, 1));
        program.push(refuse(errno));
    }
    for rule in rules {
        // The number is loaded here, and is again where the next rule begins. Each condition takes three.
        let length = rule.conditions.len() * 3 + 2;
        program.push(jump(EQUAL, rule.number as u32, 0, length as u8));
        for (index, condition) in rule.conditions.iter().enumerate() {
            program.push(statement(LOAD, ARGUMENTS + 8 * condition.argument));
            program.push(statement(AND, condition.mask));
            let fails = (length - index * 3 - 4) as u8;
            program.push(match condition.equal {
                true => jump(EQUAL, condition.value, 0, fails),
                false => jump(EQUAL, condition.value, fails, 0),
            });
        }
        program.push(refuse(rule.errno));
        program.push(statement(LOAD, NUMBER));
    }
    program.push(statement(GIVE, libc::SECCOMP_RET_ALLOW));
    program
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says of a call, by a machine for the instructions that it is made of.
    fn verdict(filter: &Filter, number: libc::c_long, arguments: [u64; 6]) -> u32 {
        let mut data = (number as u32).to_le_bytes().to_vec();
        data.extend(AUDIT_ARCH_X86_64.to_le_bytes());
        data.extend([0; 8]);
        data.extend(arguments.iter().flat_map(|argument| argument.to_le_bytes()));
        let (mut at, mut value) = (0, 0u32);
        loop {
            let it = filter.0[at];
            at += 1;
            let holds = match u32::from(it.code) {
                LOAD => {
                    let from = it.k as usize;
                    value = u32::from_le_bytes(data[from..from + 4].try_into().unwrap());
                    continue;
                }
                AND => {
                    value &= it.k;
                    continue;
                }
                SKIP => {
                    at += it.k as usize;
                    continue;
                }
                EQUAL => value == it.k,
                AT_LEAST => value >= it.k,
                GIVE => return it.k,
                code => panic!("{code}"),
            };
            at += usize::from(if holds { it.jt } else { it.jf });
        }
    }

    #[test]
    fn what_is_refused_is_refused_whatever_stands_above_it() {
        let filter = filter(Allowed::default());
        let refused = |errno: i32| libc::SECCOMP_RET_ERRNO | errno as u32;
        let ioctl = |command: u64| verdict(&filter, libc::SYS_ioctl, [0, command, 0, 0, 0, 0]);
        // TIOCSTI, TIOCLINUX, TIOCSETD, TCSETS, TCSETS2, KDSKBENT, VT_ACTIVATE
        for command in [0x5412, 0x541c, 0x5423, 0x5402, 0x402c_542b, 0x4b47, 0x5606] {
            for above in [0, 1 << 32, 0xffff_ffff << 32] {
                assert_eq!(ioctl(command | above), refused(libc::ENOTTY), "{command:x}");
            }
        }
        for command in ASKED_OF_TERMINALS
            .map(u64::from)
            .into_iter()
            .chain([0, 0x8912])
        {
            assert_eq!(ioctl(command), libc::SECCOMP_RET_ALLOW, "{command:x}");
        }
        let of = |number| verdict(&filter, number, [0x5412; 6]);
        assert_eq!(of(libc::SYS_read), libc::SECCOMP_RET_ALLOW);
        assert_eq!(of(libc::SYS_mount), refused(libc::EPERM));
        assert_eq!(of(libc::SYS_socket), refused(libc::EACCES));
        assert_eq!(of(libc::SYS_read | 0x4000_0000), refused(libc::ENOSYS));
        let open = super::filter(Allowed {
            network: true,
            tracing: true,
            namespace: true,
        });
        let allowed =
            |number, arguments| verdict(&open, number, arguments) == libc::SECCOMP_RET_ALLOW;
        assert!(allowed(libc::SYS_socket, [0; 6]) && allowed(libc::SYS_ptrace, [0; 6]));
        for (number, own, other) in [
            (libc::SYS_prlimit64, [0, 7, 1, 0, 0, 0], [9, 7, 1, 0, 0, 0]),
            (
                libc::SYS_setpriority,
                [0, 0, 5, 0, 0, 0],
                [0, 9, 5, 0, 0, 0],
            ),
            (
                libc::SYS_setpriority,
                [0, 0, 5, 0, 0, 0],
                [2, 0, 5, 0, 0, 0],
            ),
            (libc::SYS_sched_setaffinity, [0; 6], [9, 0, 0, 0, 0, 0]),
            (libc::SYS_ioprio_set, [1, 0, 5, 0, 0, 0], [1, 9, 5, 0, 0, 0]),
            (
                libc::SYS_kill,
                [9, 15, 0, 0, 0, 0],
                [0xffff_ffff, 15, 0, 0, 0, 0],
            ),
        ] {
            assert_eq!(verdict(&filter, number, own), libc::SECCOMP_RET_ALLOW);
            assert_eq!(verdict(&filter, number, other), refused(libc::EPERM));
            assert!(allowed(number, other));
        }
        let mknod = |mode: u32| verdict(&open, libc::SYS_mknodat, [0, 0, mode.into(), 0, 0, 0]);
        assert_eq!(mknod(libc::S_IFIFO | 0o600), libc::SECCOMP_RET_ALLOW);
        assert_eq!(mknod(libc::S_IFBLK | 0o600), refused(libc::EPERM));
        assert_eq!(mknod(libc::S_IFCHR | 0o600), refused(libc::EPERM));
    }

    #[test]
    fn the_filter_is_what_the_table_says() {
        let refused = |errno: u16| libc::SECCOMP_RET_ERRNO | u32::from(errno);
        for bits in 0..8 {
            let allowed = Allowed {
                network: bits & 1 != 0,
                tracing: bits & 2 != 0,
                namespace: bits & 4 != 0,
            };
            let filter = filter(allowed);
            let ruled: Vec<u32> = devices()
                .into_iter()
                .chain(others())
                .chain(terminals())
                .map(|rule| rule.number as u32)
                .collect();
            let mut known = vec![false; 1024];
            for call in calls() {
                known[call.number as usize] = true;
                let by_arguments = matches!(call.verdict, Verdict::Arguments | Verdict::Foreign);
                assert_eq!(ruled.contains(&call.number), by_arguments, "{}", call.name);
                let wanted = error(call.verdict, allowed).map(refused);
                for argument in [0, 1, 0x5412, u64::MAX, 0x6000] {
                    // Where arguments rule, these are harmless.
                    let arguments = [if by_arguments { 0 } else { argument }; 6];
                    let given = verdict(&filter, call.number.into(), arguments);
                    let given = (given != libc::SECCOMP_RET_ALLOW).then_some(given);
                    // No class of `ioprio_set` is harmless but that of a process.
                    if call.name != "ioprio_set" {
                        assert_eq!(given, wanted, "{} {allowed:?}", call.name);
                    }
                }
            }
            for (number, _) in known.iter().enumerate().filter(|(_, known)| !**known) {
                let given = verdict(&filter, number as libc::c_long, [0; 6]);
                assert_eq!(given, refused(libc::ENOSYS as u16), "{number}");
            }
            for number in [0x4000_0000, 0x4000_0200, 0x7fff_ffff, 0xffff_ffff] {
                let given = verdict(&filter, number, [0; 6]);
                assert_eq!(given, refused(libc::ENOSYS as u16), "{number:x}");
            }
        }
    }
}
