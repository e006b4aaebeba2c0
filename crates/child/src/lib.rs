//! Processes that end with the engine, whatever way that ends.
//!
//! The system can be asked to kill a process when its parent ends, but it takes the *thread* that made it for
//! the parent, and workers come and go. So one thread, which stays until the engine ends, starts them all.

mod machine;

pub use machine::{Left, Machine, Running, Start, Starter, null};

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

type Order = Box<dyn FnOnce() + Send>;

/// Starts a process that is killed when this one ends, be it by `kill -9`.
pub fn spawn(mut command: Command) -> io::Result<Child> {
    bind(&mut command);
    by_starter(move || command.spawn())?
}

/// Does something in the thread that stays until this process ends.
pub fn by_starter<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    static STARTER: OnceLock<Option<Sender<Order>>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (orders, taken) = channel();
        let thread = thread::Builder::new().name("starter".into());
        thread.spawn(move || serve(taken)).ok().map(|_| orders)
    });
    let gone = || io::Error::other("no thread can be started");
    let (answer, answered) = channel();
    let starter = starter.as_ref().ok_or_else(gone)?;
    let order = move || {
        // Whoever wants it waits below.
        let _ = answer.send(work());
    };
    starter.send(Box::new(order)).map_err(|_| gone())?;
    answered.recv().map_err(|_| gone())
}

/// Never returns: whoever could order something is there as long as the process is.
fn serve(orders: Receiver<Order>) {
    for order in orders {
        order();
    }
}

/// Binds the life of what the command starts to that of the thread that starts it.
fn bind(command: &mut Command) {
    let parent = std::process::id();
    // SAFETY: plain system calls.
    unsafe {
        command.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            // It may have ended before it was asked for.
            if libc::getppid() as u32 != parent {
                libc::_exit(1);
            }
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn it_outlives_the_thread_that_wants_it() {
        let mut sleep = Command::new("sleep");
        sleep.arg("60");
        let mut child = thread::spawn(|| spawn(sleep))
            .join()
            .expect("it does not panic")
            .expect("there is `sleep`");
        thread::sleep(Duration::from_millis(200));
        assert!(child.try_wait().expect("it is a child").is_none());
        child.kill().expect("it is there");
        child.wait().expect("it is a child");
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let error = spawn(Command::new("/nowhere/at all")).expect_err("it is not there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
