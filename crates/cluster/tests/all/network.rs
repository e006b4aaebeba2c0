//! A network of a test's own (a namespace), in which there is one machine and loopback. When it is down, nothing is said:
//! what is sent is lost, and sent again by TCP when it is up.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

pub struct Network(File);

impl Network {
    /// An error where the system does not let us have one: that takes root's rights.
    pub fn new() -> io::Result<Network> {
        let made = std::thread::spawn(|| {
            // SAFETY: no memory is shared with the call, and this thread does nothing else.
            check(unsafe { libc::unshare(libc::CLONE_NEWNET) })?;
            let network = Network(File::open("/proc/thread-self/ns/net")?);
            bring(true)?;
            Ok(network)
        });
        made.join().expect("no panic")
    }

    /// For the rest of this thread, and for threads that it starts.
    pub fn enter(&self) -> io::Result<()> {
        // SAFETY: the file is open for as long as we are.
        check(unsafe { libc::setns(self.0.as_raw_fd(), libc::CLONE_NEWNET) })
    }

    pub fn inside<T: Send>(&self, what: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
        std::thread::scope(|scope| {
            let there = scope.spawn(|| {
                self.enter()?;
                what()
            });
            there.join().expect("no panic")
        })
    }

    pub fn set(&self, up: bool) -> io::Result<()> {
        self.inside(|| bring(up))
    }
}

/// Brings this thread's loopback up, or down.
fn bring(up: bool) -> io::Result<()> {
    // SAFETY: all zeros are a request without a name.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    request.ifr_name[0] = b'l' as libc::c_char;
    request.ifr_name[1] = b'o' as libc::c_char;
    request.ifr_ifru.ifru_flags = if up { libc::IFF_UP as libc::c_short } else { 0 };
    let socket = std::net::UdpSocket::bind("0.0.0.0:0")?;
    // SAFETY: the request is valid during the call, and has what this one reads.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) })
}

fn check(result: libc::c_int) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
