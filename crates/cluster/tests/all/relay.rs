//! What lies between a member and the server. It can cut the connection or hold it; and it knows where a message of NATS's
//! protocol ends, so that it can deliver one twice, late, or to another member than the one it was for.

use crate::network::Network;
use elsewise_explore::Random;
use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long nothing may be heard before it is looked whether something is due.
const LOOK: Duration = Duration::from_millis(10);
/// A message that is overtaken by others is so late at most.
const LATE: u64 = 150;
/// In the place of a message's number: it has been sent before.
const AGAIN: u64 = 0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    #[default]
    Through,
    Held,
    Cut,
}

/// What is done to messages that pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mischief {
    /// What is published, and what is delivered, is so once more: at once, or after up to so long.
    pub twice: Option<Duration>,
    /// So many messages take their own time each, and one that asks for no answer is overtaken by the next.
    pub reordered: u32,
    /// When this member asks for a task, it gets the one that another has got last; once.
    pub anothers_task: bool,
}

/// How often something was done to a message.
#[derive(Debug, Default)]
pub struct Counts {
    pub twice: AtomicU64,
    pub overtaken: AtomicU64,
    pub handed: AtomicU64,
}

/// What all relays of a campaign know.
#[derive(Debug, Default)]
pub struct Known {
    /// The last message with a task, and to which relay's member it went.
    task: Mutex<Option<(u16, Vec<u8>)>>,
    pub counts: Counts,
}

pub struct Relay {
    port: u16,
    link: Arc<Link>,
}

struct Link {
    port: u16,
    way: Mutex<Way>,
    mischief: Mutex<Mischief>,
    over: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
    random: Mutex<Random>,
    known: Arc<Known>,
}

impl Relay {
    /// To the server at a port of this thread's network; members find it in theirs.
    pub fn new(server: u16, network: Option<&Network>, seed: u64, known: &Arc<Known>) -> Relay {
        let bind = || TcpListener::bind("127.0.0.1:0");
        let listener = network.map_or_else(bind, |network| network.inside(bind));
        let listener = listener.unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let link = Arc::new(Link {
            port,
            way: Mutex::default(),
            mischief: Mutex::default(),
            over: AtomicBool::new(false),
            open: Mutex::default(),
            random: Mutex::new(Random::new(seed)),
            known: known.clone(),
        });
        let ours = link.clone();
        std::thread::spawn(move || {
            while !ours.over.load(Relaxed) {
                let Ok((near, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                };
                if let Ok(far) = TcpStream::connect(("127.0.0.1", server)) {
                    connect(&ours, near, far);
                }
            }
        });
        Relay { port, link }
    }

    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn mischief(&self, change: impl FnOnce(&mut Mischief)) {
        change(&mut locked(&self.link.mischief));
    }

    pub fn set(&self, way: Way) {
        *locked(&self.link.way) = way;
        if way == Way::Cut {
            for open in locked(&self.link.open).drain(..) {
                let _ = open.shutdown(Shutdown::Both);
            }
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.link.over.store(true, Relaxed);
        self.set(Way::Cut);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}

/// Passes on what either side says until one of them ends.
fn connect(link: &Arc<Link>, near: TcpStream, far: TcpStream) {
    let mut open = locked(&link.open);
    if *locked(&link.way) == Way::Cut {
        return;
    }
    for socket in [&near, &far] {
        socket.set_nonblocking(false).unwrap();
        socket.set_nodelay(true).unwrap();
        socket.set_read_timeout(Some(LOOK)).unwrap();
        open.push(socket.try_clone().unwrap());
    }
    drop(open);
    let to = |socket: &TcpStream| Arc::new(Mutex::new(socket.try_clone().unwrap()));
    let (to_near, to_far) = (to(&near), to(&far));
    let says = Side::Member(Said {
        inboxes: HashMap::new(),
        to_member: to_near.clone(),
    });
    for (from, to, side) in [(near, to_far, says), (far, to_near, Side::Server)] {
        let link = link.clone();
        std::thread::spawn(move || Pump::new(link, to, side).run(from));
    }
}

/// Who says what is passed on.
enum Side {
    Member(Said),
    Server,
}

/// What a member has said that is needed to give it a task.
struct Said {
    /// Numbers of subscriptions by subject.
    inboxes: HashMap<Vec<u8>, Vec<u8>>,
    to_member: Arc<Mutex<TcpStream>>,
}

/// What is to be sent.
struct Later {
    due: Instant,
    /// As which one it came.
    came: u64,
    /// The next is to overtake it.
    waits: bool,
    frame: Vec<u8>,
}

/// One direction of a connection.
struct Pump {
    link: Arc<Link>,
    to: Arc<Mutex<TcpStream>>,
    side: Side,
    later: Vec<Later>,
    came: u64,
    /// The last that was sent.
    sent: u64,
}

impl Pump {
    fn new(link: Arc<Link>, to: Arc<Mutex<TcpStream>>, side: Side) -> Pump {
        Pump {
            link,
            to,
            side,
            later: Vec::new(),
            came: 0,
            sent: 0,
        }
    }

    fn run(mut self, mut from: TcpStream) {
        let mut bytes = [0; 1 << 14];
        let mut said = Vec::new();
        while !self.link.over.load(Relaxed) {
            if *locked(&self.link.way) == Way::Held {
                std::thread::sleep(LOOK);
                continue;
            }
            match from.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => said.extend_from_slice(&bytes[..count]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
            let mut passed = 0;
            while let Some(length) = frame(&said[passed..]) {
                let frame = said[passed..passed + length].to_vec();
                passed += length;
                self.pass(frame);
            }
            said.drain(..passed);
            if self.send_due().is_err() {
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = locked(&self.to).shutdown(Shutdown::Both);
    }

    fn pass(&mut self, frame: Vec<u8>) {
        let mut due = Instant::now();
        let message = is_message(&frame);
        let mischief = {
            let mut mischief = locked(&self.link.mischief);
            let now = *mischief;
            mischief.reordered -= u32::from(message && now.reordered > 0);
            now
        };
        if mischief.anothers_task && self.gives_another(&frame) {
            return;
        }
        self.note(&frame);
        if let Some(late) = mischief.twice.filter(|_| message) {
            let late = match self.below(2) {
                0 => 0,
                _ => self.below(late.as_millis() as u64),
            };
            self.link.known.counts.twice.fetch_add(1, Relaxed);
            self.later.push(Later {
                due: due + Duration::from_millis(late),
                came: AGAIN,
                waits: false,
                frame: frame.clone(),
            });
        }
        let reordered = message && mischief.reordered > 0;
        let waits = reordered && asks_nothing(&frame);
        if reordered {
            let late = if waits { LATE } else { self.below(LATE) };
            due += Duration::from_millis(late);
        }
        if message && !waits {
            for before in self.later.iter_mut().filter(|it| it.waits) {
                before.due = due + Duration::from_millis(1);
                before.waits = false;
            }
        }
        self.came += 1;
        self.later.push(Later {
            due,
            came: self.came,
            waits,
            frame,
        });
    }

    fn below(&self, bound: u64) -> u64 {
        locked(&self.link.random).below(bound as usize) as u64
    }

    /// Sends what is due: in the order in which it came, where nothing is late.
    fn send_due(&mut self) -> std::io::Result<()> {
        let now = Instant::now();
        self.later.sort_by_key(|it| (it.due, it.came));
        let many = self.later.partition_point(|it| it.due <= now);
        for Later { came, frame, .. } in self.later.drain(..many) {
            if came != AGAIN && came < self.sent {
                self.link.known.counts.overtaken.fetch_add(1, Relaxed);
            }
            self.sent = self.sent.max(came);
            locked(&self.to).write_all(&frame)?;
        }
        Ok(())
    }

    /// Remembers what is needed to give a task to another member.
    fn note(&mut self, frame: &[u8]) {
        let words = words(frame);
        match (&mut self.side, words.as_slice()) {
            (Side::Member(said), [b"SUB", subject, .., number]) => {
                said.inboxes.insert(subject.to_vec(), number.to_vec());
            }
            (Side::Server, [b"MSG" | b"HMSG", subject, _, reply, ..])
                if reply.starts_with(b"$JS.ACK.elw-") && !subject.ends_with(b"ffff") =>
            {
                let task = (self.link.port, frame.to_vec());
                *locked(&self.link.known.task) = Some(task);
            }
            _ => {}
        }
    }

    /// If a member asks here for a task, and another has one: gives it that one.
    fn gives_another(&mut self, frame: &[u8]) -> bool {
        let Side::Member(said) = &self.side else {
            return false;
        };
        let words = words(frame);
        let [b"PUB", subject, inbox, _] = words.as_slice() else {
            return false;
        };
        if !subject.starts_with(b"$JS.API.CONSUMER.MSG.NEXT.elw-") {
            return false;
        }
        let Some(number) = said.inboxes.get(*inbox) else {
            return false;
        };
        let task = locked(&self.link.known.task);
        let Some((_, task)) = task.as_ref().filter(|(port, _)| *port != self.link.port) else {
            return false;
        };
        let Some(task) = with_subscription(task, number) else {
            return false;
        };
        locked(&self.link.mischief).anothers_task = false;
        self.link.known.counts.handed.fetch_add(1, Relaxed);
        locked(&said.to_member).write_all(&task).is_ok()
    }
}

const END: &[u8] = b"\r\n";

/// How long the first thing is that is said here: a line, and behind it what it says that follows. None if there is more to
/// come.
fn frame(said: &[u8]) -> Option<usize> {
    let line = said.windows(2).position(|two| two == END)? + END.len();
    let words = words(&said[..line]);
    let payload = match words.as_slice() {
        [b"PUB" | b"HPUB" | b"MSG" | b"HMSG", .., length] => {
            let length = std::str::from_utf8(length).ok()?;
            length.parse::<usize>().ok()? + END.len()
        }
        _ => 0,
    };
    (said.len() >= line + payload).then_some(line + payload)
}

fn words(frame: &[u8]) -> Vec<&[u8]> {
    let line = frame.split(|byte| *byte == b'\r').next().unwrap_or(frame);
    line.split(|byte| *byte == b' ').collect()
}

/// Is it one that a member or the server may see twice, or late? Of an object, the pieces are none: they are told apart by
/// their order alone, a client waits for each of them to be taken, and does not send one again.
fn is_message(frame: &[u8]) -> bool {
    let words = words(frame);
    let [b"PUB" | b"HPUB" | b"MSG" | b"HMSG", subject, ..] = words.as_slice() else {
        return false;
    };
    !(subject.starts_with(b"$O.") && subject.windows(3).any(|part| part == b".C."))
}

/// Is it published by somebody who goes on without an answer?
fn asks_nothing(frame: &[u8]) -> bool {
    matches!(words(frame).as_slice(), [b"PUB", _, _] | [b"HPUB", _, _, _])
}

/// A message, as it would be delivered to another subscription.
fn with_subscription(frame: &[u8], number: &[u8]) -> Option<Vec<u8>> {
    let line = frame.windows(2).position(|two| two == END)?;
    let mut words = words(frame);
    *words.get_mut(2)? = number;
    Some([words.join(&b' '), frame[line..].to_vec()].concat())
}

#[test]
fn messages_end_where_they_say() {
    let said =
        b"SUB in 7\r\nHPUB a.b in 12 16\r\nNATS/1.0\r\n\r\nfour\r\nMSG a.b 7 4\r\n\r\n\r\n\r\nPI";
    let mut rest = said.as_slice();
    let mut lengths = Vec::new();
    while let Some(length) = frame(rest) {
        lengths.push(length);
        rest = &rest[length..];
    }
    assert_eq!(lengths, [10, 37, 19]);
    assert_eq!(rest, b"PI");
    let moved = with_subscription(b"MSG a.b 7 $JS.ACK 2\r\nhi\r\n", b"31");
    assert_eq!(moved.unwrap(), b"MSG a.b 31 $JS.ACK 2\r\nhi\r\n");
    assert!(asks_nothing(b"PUB a.b 0\r\n\r\n") && !asks_nothing(b"PUB a.b in 0\r\n\r\n"));
    assert!(is_message(b"PUB $KV.a.b 2\r\nhi\r\n") && !is_message(b"PUB $O.a.C.b 2\r\nhi\r\n"));
}
