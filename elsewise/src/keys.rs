//! The keys of the live view.
//!
//! While they are read, the terminal gives each key at once and does not show it. It gets its modes back whatever way the
//! command ends or stops: the guard is dropped, also by a panic; handlers of signals do it before the process goes. Signals
//! stay what they are: Ctrl-C, Ctrl-Z and Ctrl-\ are not read as keys.

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::low_level;
use std::io::{IsTerminal, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

/// Standard input.
const INPUT: i32 = libc::STDIN_FILENO;
/// Milliseconds after which it is looked whether keys are still wanted.
const LOOK: i32 = 30;

/// What the terminal's modes are without us, and with us.
struct Modes {
    before: libc::termios,
    keys: libc::termios,
}

/// For handlers of signals, which are given nothing.
static MODES: OnceLock<Modes> = OnceLock::new();
/// Whether keys are read.
static WANTED: AtomicBool = AtomicBool::new(false);

/// What has been asked for by keys.
#[derive(Default)]
pub struct Pressed {
    /// Nothing new is to be begun.
    pub pause: AtomicBool,
    /// All findings are to be shown.
    pub findings: AtomicBool,
}

/// Reads keys until it is dropped.
pub struct Keys {
    over: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Keys {
    /// None where nobody can press any: there is no terminal, or it is another's. `stop` is set by the key that ends.
    pub fn read(pressed: Arc<Pressed>, stop: Arc<AtomicBool>) -> Option<Keys> {
        if !std::io::stdin().is_terminal() || !in_foreground() {
            return None;
        }
        let before = modes()?;
        let mut keys = before;
        keys.c_lflag &= !(libc::ICANON | libc::ECHO);
        keys.c_cc[libc::VMIN] = 1;
        keys.c_cc[libc::VTIME] = 0;
        MODES.get_or_init(|| Modes { before, keys });
        handle_signals()?;
        WANTED.store(true, Ordering::SeqCst);
        enter();
        let over = Arc::new(AtomicBool::new(false));
        let mut keys = Keys {
            over: Arc::clone(&over),
            reader: None,
        };
        let reader = std::thread::Builder::new().spawn(move || read(&pressed, &stop, &over));
        keys.reader = Some(reader.ok()?);
        Some(keys)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        leave();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

fn read(pressed: &Pressed, stop: &AtomicBool, over: &AtomicBool) {
    let toggle = |flag: &AtomicBool| {
        flag.fetch_xor(true, Ordering::Relaxed);
    };
    while !over.load(Ordering::Relaxed) && WANTED.load(Ordering::SeqCst) {
        // A process in the background that reads is stopped.
        if !readable() || !in_foreground() {
            continue;
        }
        let mut keys = [0; 16];
        match std::io::stdin().lock().read(&mut keys) {
            Ok(0) | Err(_) => return,
            Ok(number) => {
                for key in &keys[..number] {
                    match key {
                        b'q' | b'Q' => {
                            // From here on, a Ctrl-C ends the process at once.
                            leave();
                            stop.store(true, Ordering::Relaxed);
                        }
                        b'p' | b'P' => toggle(&pressed.pause),
                        b'f' | b'F' => toggle(&pressed.findings),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Keys are not read any more.
fn leave() {
    restore();
    WANTED.store(false, Ordering::SeqCst);
}

/// Gives the terminal its own modes back.
fn restore() {
    if let Some(modes) = MODES.get()
        && WANTED.load(Ordering::SeqCst)
    {
        set(&modes.before);
    }
}

/// Has each key given at once.
fn enter() {
    if let Some(modes) = MODES.get()
        && WANTED.load(Ordering::SeqCst)
    {
        set(&modes.keys);
    }
}

/// Has the terminal's modes restored by the signals that end the process or stop it.
fn handle_signals() -> Option<()> {
    static DONE: OnceLock<Option<()>> = OnceLock::new();
    let register = |signal: i32, action: fn()| {
        // SAFETY: what handlers do is to load flags, and to call tcgetpgrp, getpgrp, tcsetattr and what signal-hook
        // offers for handlers, all of which may be called there.
        unsafe { low_level::register(signal, action) }.ok()
    };
    *DONE.get_or_init(|| {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            register(signal, leave)?;
        }
        register(SIGQUIT, || {
            restore();
            let _ = low_level::emulate_default_handler(SIGQUIT);
        })?;
        register(SIGTSTP, || {
            restore();
            let _ = low_level::emulate_default_handler(SIGTSTP);
        })?;
        register(SIGCONT, enter)?;
        Some(())
    })
}

/// Whether the terminal is ours: a process in the background that changes it is stopped.
fn in_foreground() -> bool {
    // SAFETY: plain system calls.
    unsafe { libc::tcgetpgrp(INPUT) == libc::getpgrp() }
}

fn modes() -> Option<libc::termios> {
    // SAFETY: a structure of numbers, which is filled if the call succeeds.
    unsafe {
        let mut modes: libc::termios = std::mem::zeroed();
        (libc::tcgetattr(INPUT, &raw mut modes) == 0).then_some(modes)
    }
}

fn set(modes: &libc::termios) {
    if in_foreground() {
        // SAFETY: modes that the terminal had, or has with two of them off.
        unsafe {
            libc::tcsetattr(INPUT, libc::TCSANOW, modes);
        }
    }
}

/// Waits a moment for a key.
fn readable() -> bool {
    let mut input = libc::pollfd {
        fd: INPUT,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one descriptor, and there is one.
    unsafe { libc::poll(&raw mut input, 1, LOOK) > 0 }
}
