//! What the threads of a run did: its moves, what each touched, and what was pending at the end.

use super::{Damaged, Walk, damaged};
use elsewise_explore::schedule::blocks::Blocks;
use elsewise_explore::schedule::datarace::{DataRaces, Touch, granules};
use elsewise_explore::schedule::history::Operation;
use elsewise_explore::schedule::{Access, BUFFER, MEETING, Move, Moves, Pending};
use elsewise_explore::{ApproximationKind, Choice, Shape, SiteId, Step};
use elsewise_wire as wire;
use elsewise_wire::Ending;
use elsewise_wire::threads::moving::{ENDS, GIVES_WAY};
use elsewise_wire::threads::{Note, SIGNAL, SyncOp, access, sync_number};
use rustc_hash::{FxHashMap, FxHashSet};

/// A run that touches more pieces of memory is cut off.
const MOST_ACCESSES: usize = 1 << 22;
/// A run with more threads is cut off.
const MOST_THREADS: usize = 4096;
/// As is one with more moves times threads.
const MOST_CLOCKS: usize = 1 << 26;
/// Of one with more calls of operations, the results are not looked at.
const MOST_OPERATIONS: usize = 256;

// The search knows buffers by their names.
const _: () = assert!(BUFFER == wire::threads::BUFFER);

/// What a run with threads has left.
#[derive(Default)]
pub struct Threads {
    pub moves: Moves,
    pub races: DataRaces,
    pub blocks: Blocks,
    /// Where the mover of each of [`Moves::moves`] stood.
    pub stood: Vec<Option<SiteId>>,
    /// The function that each thread starts with: its address.
    pub starts: FxHashMap<u32, u64>,
    /// Calls of operations in the order in which they began.
    pub history: Vec<Operation>,
    /// There were more than are told.
    pub lost_operations: bool,
    /// The one that is being told of, those that have not ended, and how many have begun or ended.
    telling: Option<usize>,
    open: FxHashMap<u32, usize>,
    clock: u32,
    /// Where each thread has stopped.
    stands: FxHashMap<u32, SiteId>,
    /// Who was started last.
    started: Option<u32>,
    /// What each of [`Moves::pending`] was about to do.
    pub waiting: Vec<Waiting>,
    /// Who has each lock.
    holders: FxHashMap<u64, Vec<u32>>,
    /// The condition or barrier that each thread was at last.
    arrived: FxHashMap<u32, (SyncOp, u64)>,
    names: FxHashSet<u32>,
    /// Signals whose handlers have run, and the threads that they interrupted.
    interrupted: FxHashMap<u32, u32>,
}

/// A thread that was about to do something.
pub struct Waiting {
    pub thread: u32,
    pub site: Option<SiteId>,
    pub sync_objects: Vec<Met>,
    /// Memory that it was about to touch: where, and how much.
    pub looks_at: Option<(u64, u32)>,
}

/// What a thread meets others by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    pub sync: SyncOp,
    /// Its address, or [`wire::threads::sync_number`].
    pub number: u64,
    /// The thread cannot go on.
    pub waits: bool,
}

impl Threads {
    /// Threads that have a lock.
    pub fn holders(&self, number: u64) -> &[u32] {
        self.holders.get(&number).map_or(&[], Vec::as_slice)
    }

    /// The condition or barrier that a thread was at last.
    pub fn arrived(&self, thread: u32) -> Option<(SyncOp, u64)> {
        self.arrived.get(&thread).copied()
    }

    fn end_of_accesses(&mut self) {
        let end = self.moves.accesses.len() as u32;
        if let Some(last) = self.moves.pending.last_mut() {
            last.accesses.end = end;
        } else if let Some(last) = self.moves.moves.last_mut() {
            last.accesses.end = end;
        }
    }

    fn begin(&mut self, thread: u32) -> Result<bool, Damaged> {
        self.names.insert(thread);
        let clocks = (self.moves.moves.len() + self.moves.pending.len()) * self.names.len();
        Ok(self.names.len() <= MOST_THREADS && clocks <= MOST_CLOCKS)
    }

    fn touch(&mut self, access: Access) {
        let moves = &mut self.moves;
        let begin = match (moves.pending.last(), moves.moves.last()) {
            (Some(pending), _) => pending.accesses.start,
            (None, Some(last)) => last.accesses.start,
            (None, None) => return,
        };
        // Many ways to say the same are common: a string that is read byte by byte.
        let own = moves.accesses.len() > begin as usize;
        match moves.accesses.last_mut().filter(|_| own) {
            Some(last)
                if last.object == access.object
                    && last.writes == access.writes
                    && (last.needs, last.before) == (access.needs, access.before) =>
            {
                last.bytes |= access.bytes;
            }
            _ => moves.accesses.push(access),
        }
        self.end_of_accesses();
    }

    /// The thread whose move it is, unless the run has ended.
    fn mover(&self) -> Option<u32> {
        match self.moves.pending.is_empty() {
            true => self.moves.moves.last().map(|last| last.thread),
            false => None,
        }
    }

    fn calls(&mut self, thread: u32, site: SiteId) {
        self.telling = None;
        if self.history.len() >= MOST_OPERATIONS {
            self.lost_operations = true;
            return;
        }
        self.open.insert(thread, self.history.len());
        self.telling = Some(self.history.len());
        self.history.push(Operation {
            thread,
            name: String::new(),
            arguments: Vec::new(),
            result: None,
            begins: self.clock,
            ends: None,
            site,
        });
        self.clock += 1;
    }

    fn returns(&mut self, thread: u32) {
        self.telling = self.open.remove(&thread);
        if let Some(index) = self.telling {
            let operation = &mut self.history[index];
            operation.result = Some(None);
            operation.ends = Some(self.clock);
            self.clock += 1;
        }
    }

    /// More of the operation whose beginning or end was told.
    fn tell(&mut self, note: Note, number: u64) {
        let Some(operation) = self.telling.and_then(|at| self.history.get_mut(at)) else {
            return;
        };
        match note {
            Note::Name if operation.name.len() < wire::NAME_BYTES => {
                let bytes = number.to_le_bytes();
                let bytes = bytes.into_iter().take_while(|byte| *byte != 0);
                operation.name.extend(bytes.map(char::from));
            }
            Note::Argument if operation.arguments.len() < 8 => operation.arguments.push(number),
            Note::Result => operation.result = Some(Some(number)),
            _ => {}
        }
    }

    /// Where a thread stands at its first move is told by what it touches.
    fn stands_at(&mut self, site: SiteId) {
        if let Some(place @ None) = self.stood.last_mut() {
            *place = Some(site);
        }
    }

    /// The thread that does what a mover does: a handler is a part of the one that it interrupts.
    fn behind(&self, mover: u32) -> u32 {
        self.interrupted.get(&mover).copied().unwrap_or(mover)
    }

    /// A signal arrives in a thread, which then knows what its sender knew.
    fn arrives(&mut self, signal: u32, thread: u32) {
        if signal & SIGNAL != 0 && self.interrupted.insert(signal, thread).is_none() {
            let sent = sync_number(SyncOp::Begin, signal);
            self.races.meet(thread, sent | MEETING, false);
        }
    }

    /// A run that fails ends whatever the others were about to do.
    pub(super) fn ended(&mut self, ending: u32) {
        let fails = [
            Ending::Assume,
            Ending::Assert,
            Ending::Signal,
            Ending::Abort,
        ];
        if let Some(last) = self.moves.moves.last_mut()
            && fails.iter().any(|fails| *fails as u32 == ending)
        {
            last.ends = true;
        }
    }
}

impl Walk<'_> {
    /// An event of threads. False when the trace ends here.
    pub(super) fn thread_event(
        &mut self,
        kind: wire::EventKind,
        event: wire::Event,
        site: SiteId,
    ) -> Result<bool, Damaged> {
        let fits = match kind {
            wire::EventKind::Thread => self.moved(event, site)?,
            wire::EventKind::Pending => self.pending(event)?,
            wire::EventKind::Access => self.access(event)?,
            wire::EventKind::SyncOp => self.sync_number(event)?,
            wire::EventKind::Note => self.note(event, site)?,
            _ => return self.picked(event, site),
        };
        if !fits {
            self.approximate(ApproximationKind::TraceCut, None);
        }
        Ok(fits)
    }

    fn moved(&mut self, event: wire::Event, site: SiteId) -> Result<bool, Damaged> {
        if event.value > ENDS | GIVES_WAY {
            return damaged("a move that is no move");
        }
        if !self.decoded.threads.moves.pending.is_empty() {
            return damaged("a move after the end");
        }
        // What is said once along a path must not depend on which thread is first to need it.
        if self.decoded.threads.moves.moves.is_empty() {
            self.say_bound();
            self.alike = None;
        }
        self.present = Some(event.label);
        let choice = self.decoded.choices.len() as u32;
        self.decoded.choices.push(Choice {
            site,
            taken: event.label.into(),
            shape: Shape::Thread,
        });
        let threads = &mut self.decoded.threads;
        let before = threads.mover().unwrap_or(0);
        // Buffers stand nowhere: where their stores were made is told with these.
        if before & BUFFER == 0 {
            threads.stands.insert(before, site);
        }
        let stands = threads.stands.get(&event.label).copied();
        threads.stood.push(stands);
        let at = threads.moves.accesses.len() as u32;
        threads.moves.moves.push(Move {
            thread: event.label,
            choice,
            accesses: at..at,
            ends: event.value & ENDS != 0,
            gives_way: event.value & GIVES_WAY != 0,
        });
        threads.begin(event.label)
    }

    fn pending(&mut self, event: wire::Event) -> Result<bool, Damaged> {
        if event.value > ENDS | GIVES_WAY {
            return damaged("a pending move that is none");
        }
        let site = self.site_of(event);
        let threads = &mut self.decoded.threads;
        if threads.moves.moves.is_empty() {
            return Ok(true);
        }
        let at = threads.moves.accesses.len() as u32;
        threads.moves.pending.push(Pending {
            thread: event.label,
            accesses: at..at,
            ends: event.value & ENDS != 0,
            gives_way: event.value & GIVES_WAY != 0,
        });
        threads.waiting.push(Waiting {
            thread: event.label,
            site,
            sync_objects: Vec::new(),
            looks_at: None,
        });
        threads.begin(event.label)
    }

    fn access(&mut self, event: wire::Event) -> Result<bool, Damaged> {
        let address = u64::from(event.label) | u64::from(event.value) << 32;
        let size = u32::from(event.pad);
        if address.checked_add(size.into()).is_none() || address >> 61 != 0 {
            return damaged(format!("an access to {size} bytes at {address:#x}"));
        }
        let is = |bit| event.detail & bit != 0;
        let site = SiteId(event.site);
        let threads = &mut self.decoded.threads;
        if threads.moves.moves.is_empty() {
            return Ok(true);
        }
        if is(access::FLUSHED) && threads.mover().is_some() {
            threads.stands_at(site);
        } else if let Some(thread) = threads.mover().map(|mover| threads.behind(mover)) {
            threads.stands_at(site);
            let (acquires, releases) = (is(access::ACQUIRES), is(access::RELEASES));
            if size == 0 {
                threads.races.fence(thread, acquires, releases);
            }
            let touch = Touch {
                thread,
                site,
                address,
                size,
                writes: is(access::WRITES),
                atomic: is(access::ATOMIC),
                acquires,
                releases,
                reads: !is(access::WRITES) || is(access::REPLACES),
            };
            if !is(access::UNSURE) {
                threads.races.touch(&touch);
                threads.blocks.touch(&touch);
            }
        } else if let Some(waiting) = threads.waiting.last_mut() {
            waiting.looks_at.get_or_insert((address, size));
        }
        // Others do not see it before it leaves the buffer.
        let size = if is(access::BUFFERED) { 0 } else { size };
        for (object, bytes) in granules(address, size) {
            threads.touch(Access {
                object,
                bytes,
                writes: is(access::WRITES),
                needs: 0,
                before: 0,
            });
        }
        Ok(threads.moves.accesses.len() <= MOST_ACCESSES)
    }

    fn sync_number(&mut self, event: wire::Event) -> Result<bool, Damaged> {
        let Some(sync) = SyncOp::from_u8(event.detail >> 1) else {
            return damaged(format!("an unknown sync {}", event.detail >> 1));
        };
        let number = u64::from(event.label) | u64::from(event.value) << 32;
        let changes = event.detail & 1 == 1;
        let [needs, before] = event.pad.to_le_bytes().map(u32::from);
        let site = self.site_of(event);
        let threads = &mut self.decoded.threads;
        if sync == SyncOp::Begin && changes {
            threads.started = Some(number as u32);
        }
        if threads.moves.moves.is_empty() {
            return Ok(true);
        }
        match threads.mover() {
            Some(thread) => {
                if let Some(site) = site {
                    threads.stands_at(site);
                }
                if sync == SyncOp::Interrupt && changes {
                    threads.arrives(thread, number as u32);
                }
                if matches!(sync, SyncOp::Begin | SyncOp::End | SyncOp::Wake) {
                    threads.blocks.meet(threads.behind(thread), number, changes);
                }
                if !matches!(sync, SyncOp::Condition | SyncOp::Outside | SyncOp::Buffer) {
                    let behind = threads.behind(thread);
                    threads.races.meet(behind, number | MEETING, changes);
                }
                if matches!(
                    sync,
                    SyncOp::Condition
                        | SyncOp::Barrier
                        | SyncOp::Data
                        | SyncOp::Room
                        | SyncOp::Queue
                ) {
                    threads.arrived.insert(thread, (sync, number));
                }
                let lock = matches!(
                    sync,
                    SyncOp::Mutex | SyncOp::RwLock | SyncOp::Spin | SyncOp::Stream
                );
                if lock && changes {
                    let holders = threads.holders.entry(number).or_default();
                    match holders.iter().position(|holder| *holder == thread) {
                        Some(index) => drop(holders.remove(index)),
                        None => holders.push(thread),
                    }
                }
            }
            None => {
                if let Some(waiting) = threads.waiting.last_mut() {
                    waiting.site = waiting.site.or(site);
                    waiting.sync_objects.push(Met {
                        sync,
                        number,
                        waits: before < needs,
                    });
                }
            }
        }
        threads.touch(Access {
            object: number | MEETING,
            bytes: u8::MAX,
            writes: changes,
            needs,
            before,
        });
        Ok(threads.moves.accesses.len() <= MOST_ACCESSES)
    }

    fn note(&mut self, event: wire::Event, site: SiteId) -> Result<bool, Damaged> {
        let Some(note) = Note::from_u8(event.detail) else {
            return damaged(format!("an unknown note {}", event.detail));
        };
        let threads = &mut self.decoded.threads;
        match note {
            Note::Starts => {
                if let Some(thread) = threads.started.take() {
                    let address = u64::from(event.label) | u64::from(event.value) << 32;
                    threads.starts.insert(thread, address);
                }
            }
            Note::BlockBegins => threads.blocks.begin(event.label, site),
            Note::BlockEnds => threads.blocks.end(event.label),
            Note::Calls => threads.calls(event.label, site),
            Note::Returns => threads.returns(event.label),
            Note::Name | Note::Argument | Note::Result => {
                let number = u64::from(event.label) | u64::from(event.value) << 32;
                threads.tell(note, number);
            }
        }
        Ok(true)
    }

    fn picked(&mut self, event: wire::Event, site: SiteId) -> Result<bool, Damaged> {
        if event.value >= event.label || event.label > Step::MAX_ALTERNATIVES {
            return damaged(format!("way {} of {}", event.value, event.label));
        }
        self.decoded.choices.push(Choice {
            site,
            taken: event.value.into(),
            shape: Shape::Pick { ways: event.label },
        });
        Ok(true)
    }

    /// The site of an event, if the program has it.
    fn site_of(&self, event: wire::Event) -> Option<SiteId> {
        let known = self.sites.kind(event.site).is_some();
        known.then_some(SiteId(event.site))
    }
}
