//! What a keeper tells the engine: two numbers and, perhaps, a descriptor, in each message.

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

/// Room for one descriptor beside a message, aligned as the system wants it.
type Beside = [u64; 4];

type Numbers = [u32; 2];

fn part(numbers: &mut Numbers) -> libc::iovec {
    libc::iovec {
        iov_base: (&raw mut *numbers).cast(),
        iov_len: size_of::<Numbers>(),
    }
}

fn message(part: &mut libc::iovec) -> libc::msghdr {
    // SAFETY: a message of nothing.
    let mut message: libc::msghdr = unsafe { zeroed() };
    message.msg_iov = &raw mut *part;
    message.msg_iovlen = 1;
    message
}

/// Sends a message with a descriptor, or with none where that is negative. Only system calls. False where nobody
/// listens any more.
pub fn send(to: RawFd, kind: u32, value: i32, with: RawFd) -> bool {
    let mut numbers = [kind, value as u32];
    let mut beside: Beside = [0; 4];
    let mut part = part(&mut numbers);
    let mut message = message(&mut part);
    // SAFETY: all that the message points to lives until it is sent.
    unsafe {
        if with >= 0 {
            message.msg_control = (&raw mut beside).cast();
            message.msg_controllen = libc::CMSG_SPACE(size_of::<RawFd>() as u32) as usize;
            let head = libc::CMSG_FIRSTHDR(&message);
            (*head).cmsg_level = libc::SOL_SOCKET;
            (*head).cmsg_type = libc::SCM_RIGHTS;
            (*head).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as usize;
            libc::CMSG_DATA(head).cast::<RawFd>().write_unaligned(with);
        }
        // Not the C library's function, which knows of threads.
        let sent = libc::syscall(
            libc::SYS_sendmsg,
            to,
            &raw const message,
            libc::MSG_NOSIGNAL,
        );
        sent == size_of::<Numbers>() as libc::c_long
    }
}

/// Waits for a message.
pub fn receive(from: &UnixStream) -> io::Result<(u32, i32, Option<OwnedFd>)> {
    let mut numbers: Numbers = [0; 2];
    let mut beside: Beside = [0; 4];
    let mut part = part(&mut numbers);
    let mut message = message(&mut part);
    // SAFETY: all that the message points to lives until it is received; a descriptor that came with it belongs to
    // nobody else.
    unsafe {
        message.msg_control = (&raw mut beside).cast();
        message.msg_controllen = size_of::<Beside>();
        let got = loop {
            let got = libc::recvmsg(from.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC);
            let error = io::Error::last_os_error();
            match got {
                got if got >= 0 => break got,
                _ if error.kind() == io::ErrorKind::Interrupted => {}
                _ => return Err(error),
            }
        };
        let head = libc::CMSG_FIRSTHDR(&message);
        let with = (!head.is_null() && (*head).cmsg_type == libc::SCM_RIGHTS)
            .then(|| OwnedFd::from_raw_fd(libc::CMSG_DATA(head).cast::<RawFd>().read_unaligned()));
        if got as usize != size_of::<Numbers>() {
            return Err(io::Error::other("its keeper is gone"));
        }
        Ok((numbers[0], numbers[1] as i32, with))
    }
}
