//! Events of threads, written by hand: moves, what they touch, and how runs of threads fail.

use super::*;
use crate::blueprint::tests::{entry, sample};
use crate::globals::Globals;
use crate::threads::ThreadedRun;
use elsewise_explore::schedule::{Access, Causality};
use elsewise_explore::{Blueprint, Outcome};
use elsewise_wire::Ending;
use elsewise_wire::threads::{SyncOp, access, sync_number, thread_name};

const FIRST: u64 = 0x7000_0000_1000;
const SECOND: u64 = 0x7000_0000_1040;
const CONDITION: u64 = 0x7000_0000_2000;
const VARIABLE: u64 = 0x7000_0000_3000;

fn thread(name: u32) -> Event {
    Event {
        detail: 0,
        ..event(EventKind::Thread, 2, name, 0)
    }
}

fn pending(name: u32, site: u32) -> Event {
    Event {
        detail: 0,
        ..event(EventKind::Pending, site, name, 0)
    }
}

fn touch(address: u64, size: u16, site: u32, detail: u8) -> Event {
    let (label, value) = (address as u32, (address >> 32) as u32);
    Event {
        detail,
        pad: size,
        ..event(EventKind::Access, site, label, value)
    }
}

/// A synchronisation that changes its object; `states` are what it needs and what was.
fn meet(sync: SyncOp, number: u64, site: u32, states: [u8; 2]) -> Event {
    let (label, value) = (number as u32, (number >> 32) as u32);
    Event {
        detail: (sync as u8) << 1 | 1,
        pad: u16::from_le_bytes(states),
        ..event(EventKind::SyncOp, site, label, value)
    }
}

fn lock(number: u64) -> Event {
    meet(SyncOp::Mutex, number, 2, [1, 1])
}

fn unlock(number: u64) -> Event {
    meet(SyncOp::Mutex, number, 2, [0, 0])
}

fn decode(events: &[Event]) -> Decoded {
    let mut setting = Setting::new(&[], events);
    setting.decode(Stdin::Fixed(0), &case(&[])).unwrap()
}

fn blueprint() -> Blueprint {
    assemble(String::new(), &[sample(1, "")], &[entry(1, 0, 0)])
        .unwrap()
        .0
}

fn failure(outcome: Outcome) -> (String, String, Vec<u32>) {
    let Outcome::Failure {
        kind,
        message,
        place,
    } = outcome
    else {
        panic!("no failure: {outcome:?}");
    };
    (
        kind.to_string(),
        message,
        place.iter().map(|at| at.line).collect(),
    )
}

fn deadlock(events: &[Event]) -> (String, String, Vec<u32>) {
    let decoded = decode(events);
    let told = ThreadedRun {
        threads: &decoded.threads,
        sites: &blueprint().sites,
        globals: &Globals::new("/nowhere".as_ref(), &[], &[]),
    };
    failure(told.deadlock())
}

#[test]
fn moves_and_what_they_touch() {
    let far = thread_name(thread_name(0, 3).unwrap(), 7).unwrap();
    let events = [
        // Before threads begin, nobody else can see anything.
        touch(VARIABLE, 4, 2, access::WRITES),
        thread(0),
        touch(VARIABLE + 6, 4, 2, access::WRITES),
        thread(far),
        event(EventKind::Pick, 2, 3, 2),
        lock(FIRST),
        pending(0, 2),
        touch(VARIABLE, 1, 2, 0),
        touch(VARIABLE + 1, 1, 2, 0),
    ];
    let decoded = decode(&events);
    let moves = &decoded.threads.moves;
    let who: Vec<(u32, u32)> = moves.moves.iter().map(|m| (m.thread, m.choice)).collect();
    assert_eq!(who, [(0, 0), (far, 1)]);
    let shapes: Vec<u64> = decoded.choices.iter().map(|choice| choice.taken).collect();
    assert_eq!(shapes, [0, far.into(), 2]);
    assert_eq!(decoded.choices[2].shape, Shape::Pick { ways: 3 });
    let memory = |object, bytes, writes| Access {
        object,
        bytes,
        writes,
        needs: 0,
        before: 0,
    };
    let piece = VARIABLE >> 3;
    assert_eq!(
        moves.accesses(&moves.moves[0].accesses),
        [memory(piece, 0xc0, true), memory(piece + 1, 0x03, true)]
    );
    let locked = moves.accesses(&moves.moves[1].accesses);
    assert_eq!(locked.len(), 1);
    assert_eq!((locked[0].needs, locked[0].before), (1, 1));
    assert!(locked[0].writes && locked[0].object > u64::MAX >> 3);
    assert_eq!(moves.pending.len(), 1);
    // The same once more, a byte further, is one access.
    assert_eq!(
        moves.accesses(&moves.pending[0].accesses),
        [memory(piece, 0x03, false)]
    );
}

#[test]
fn a_run_that_fails_ends_what_the_others_were_about_to_do() {
    for (ending, ends) in [
        (Ending::Plain, false),
        (Ending::Deadlock, false),
        (Ending::Assert, true),
        (Ending::Signal, true),
    ] {
        let mut setting = Setting::new(&[], &[thread(1), pending(0, 2)]);
        setting.memory.put_ending(ending, 0, "", "");
        let decoded = setting.decode(Stdin::Fixed(0), &case(&[])).unwrap();
        assert_eq!(decoded.threads.moves.moves[0].ends, ends, "{ending:?}");
    }
}

#[test]
fn what_another_thread_has_chosen_is_chosen_again() {
    let (nodes, _) = everything();
    let branch = event(EventKind::Branch, 0, 7, 1);
    let events = [thread(0), branch, branch, thread(1), branch, branch];
    let mut setting = Setting::new(&nodes, &events);
    let decoded = setting.decode(Stdin::Fixed(4), &case(&[0; 4])).unwrap();
    // Once for each thread, since the second could have come first.
    assert_eq!(decoded.choices.len(), 4);
    // What was chosen before there were threads holds for all of them.
    let mut setting = Setting::new(&nodes, &[branch, thread(0), branch, thread(1), branch]);
    let decoded = setting.decode(Stdin::Fixed(4), &case(&[0; 4])).unwrap();
    assert_eq!(decoded.choices.len(), 3);
}

#[test]
fn who_gives_way_is_told() {
    let gives_way = Event {
        value: 2,
        ..thread(0)
    };
    let waits = Event {
        value: 2,
        ..pending(1, 2)
    };
    let moves = decode(&[gives_way, thread(2), waits]).threads.moves;
    let told = moves.moves.iter().map(|one| (one.gives_way, one.ends));
    assert!(told.eq([(true, false), (false, false)]));
    assert!(moves.pending[0].gives_way && !moves.pending[0].ends);
}

#[test]
fn several_races_of_one_run() {
    let decoded = decode(&[
        thread(2),
        touch(VARIABLE, 4, 2, access::WRITES),
        thread(1),
        touch(VARIABLE, 4, 0, 0),
        thread(1),
        touch(VARIABLE, 4, 1, 0),
    ]);
    let told = ThreadedRun {
        threads: &decoded.threads,
        sites: &blueprint().sites,
        globals: &Globals::new("/nowhere".as_ref(), &[], &[]),
    };
    assert_eq!(told.data_races().len(), 2);
}

#[test]
fn a_bound_is_said_before_the_first_move() {
    let mut setting = Setting::new(&[], &[thread(0)]);
    let decoded = setting.decode(Stdin::Free { max: 9 }, &case(&[])).unwrap();
    assert!(matches!(decoded.choices[0].shape, Shape::Assume { .. }));
    assert_eq!(decoded.choices[1].shape, Shape::Thread);
    assert_eq!(decoded.threads.moves.moves[0].choice, 1);
}

#[test]
fn nonsense_is_refused() {
    let after_the_end = [thread(0), pending(1, 2), thread(1)];
    let odd_move = Event {
        value: 4,
        ..thread(0)
    };
    let unknown = Event {
        detail: 0xfe,
        ..lock(FIRST)
    };
    for events in [
        &after_the_end[..],
        &[odd_move],
        &[thread(0), unknown],
        &[thread(0), event(EventKind::Pick, 2, 3, 3)],
        &[thread(0), event(EventKind::Pick, 2, 0, 0)],
        &[thread(0), touch(u64::MAX - 2, 8, 2, 0)],
    ] {
        let mut setting = Setting::new(&[], events);
        let decoded = setting.decode(Stdin::Fixed(0), &case(&[]));
        assert!(decoded.is_err(), "{events:?}");
    }
}

#[test]
fn who_waits_for_a_lock_that_another_has() {
    let end = sync_number(SyncOp::End, 1);
    let (kind, message, lines) = deadlock(&[
        thread(1),
        lock(FIRST),
        thread(2),
        lock(SECOND),
        pending(0, 0),
        meet(SyncOp::End, end, 0, [1, 0]),
        pending(1, 2),
        meet(SyncOp::Mutex, SECOND, 2, [1, 0]),
        pending(2, 3),
        meet(SyncOp::Mutex, FIRST, 3, [1, 0]),
    ]);
    assert_eq!(kind, "deadlock");
    assert_eq!(
        message,
        "no thread can go on: thread 1 waits for the mutex at 0x700000001040, which thread 2 has; \
         thread 2 waits for the mutex at 0x700000001000, which thread 1 has; the main thread waits \
         for thread 1 to end"
    );
    // Sites 2 and 3 stand on the same line of the sample. The main thread's elsewhere is no place of
    // it: it only waits for the others.
    assert_eq!(lines, [15]);
}

#[test]
fn who_has_a_lock_is_who_took_it_last() {
    let waits = [
        pending(3, 2),
        meet(SyncOp::Mutex, FIRST, 2, [1, 0]),
        pending(1, 2),
        meet(SyncOp::Mutex, FIRST, 2, [1, 0]),
    ];
    let before = [
        thread(1),
        lock(FIRST),
        thread(1),
        unlock(FIRST),
        thread(2),
        lock(FIRST),
    ];
    let (_, message, _) = deadlock(&[&before[..], &waits].concat());
    assert!(message.contains("thread 3 waits for the mutex at 0x700000001000, which thread 2 has"));
    // A lock that its own thread has already.
    let before = [thread(1), lock(FIRST)];
    let (_, message, _) = deadlock(&[&before[..], &waits].concat());
    assert!(
        message.contains("thread 1 waits for the mutex at 0x700000001000, which it has already")
    );
}

#[test]
fn a_signal_that_nobody_will_send() {
    let wake = sync_number(SyncOp::Wake, 1);
    let waits = |sync| {
        [
            thread(1),
            meet(sync, CONDITION, 2, [0, 0]),
            pending(1, 2),
            meet(SyncOp::Wake, wake, 2, [1, 0]),
            meet(SyncOp::Mutex, FIRST, 2, [1, 1]),
        ]
    };
    let (kind, message, _) = deadlock(&waits(SyncOp::Condition));
    assert_eq!(kind, "lost wake-up");
    assert_eq!(
        message,
        "no thread can go on: thread 1 waits for a signal of the condition at 0x700000002000, \
         which nobody will send"
    );
    let (kind, message, _) = deadlock(&waits(SyncOp::Barrier));
    assert_eq!(kind, "deadlock");
    assert!(message.ends_with("thread 1 waits at the barrier at 0x700000002000"));
}

fn race(events: &[Event]) -> Option<(String, String, Vec<u32>)> {
    let decoded = decode(events);
    let told = ThreadedRun {
        threads: &decoded.threads,
        sites: &blueprint().sites,
        globals: &Globals::new("/nowhere".as_ref(), &[], &[]),
    };
    let mut told = told.data_races();
    assert!(told.len() <= 1, "{told:?}");
    told.pop().map(failure)
}

#[test]
fn two_threads_that_nothing_orders() {
    let (kind, message, lines) = race(&[
        thread(2),
        touch(VARIABLE, 4, 2, access::WRITES),
        thread(1),
        touch(VARIABLE, 4, 0, 0),
        // Not done yet, and so no part of a race.
        pending(3, 1),
        touch(VARIABLE, 4, 1, access::WRITES),
    ])
    .unwrap();
    assert_eq!(kind, "data race");
    assert_eq!(
        message,
        "thread 1 reads 4 bytes at 0x700000003000 (1.c:10), thread 2 writes them (1.c:15), and \
         nothing orders the two"
    );
    assert_eq!(lines, [10, 15]);
}

#[test]
fn what_orders_two_threads() {
    let begin = sync_number(SyncOp::Begin, 1);
    let write = touch(VARIABLE, 4, 2, access::WRITES);
    let read = touch(VARIABLE, 4, 0, 0);
    let between = |first: Event, second: Event| {
        let events = [thread(0), write, thread(0), first, thread(1), second, read];
        race(&events).is_none()
    };
    let begins = |states| meet(SyncOp::Begin, begin, 2, states);
    assert!(between(begins([0, 0]), begins([1, 1])));
    assert!(between(unlock(FIRST), lock(FIRST)));
    assert!(!between(unlock(FIRST), lock(SECOND)));
    // Who waits for a condition is ordered by being woken, not by the condition.
    let signals = meet(SyncOp::Condition, CONDITION, 2, [0, 0]);
    assert!(!between(signals, signals));
    let atomic = |detail| touch(SECOND, 4, 3, access::ATOMIC | detail);
    let released = atomic(access::WRITES | access::RELEASES);
    assert!(between(released, atomic(access::ACQUIRES)));
    assert!(!between(released, atomic(0)));
}

/// Any events of threads in any order, with odd numbers in them.
#[test]
fn no_events_of_threads_make_anything_panic() {
    let mut random = Random::new(0x7ead);
    let (mut good, mut moved) = (0, 0);
    for _ in 0..20_000 {
        let mut events = Vec::new();
        for _ in 0..random.below(12) {
            let mut one = match random.below(8) {
                0..=2 => thread(random.below(4) as u32),
                3 => touch(
                    VARIABLE + random.word_below(9),
                    random.below(20) as u16,
                    2,
                    random.word() as u8,
                ),
                4 => lock(FIRST),
                5 => unlock(FIRST),
                6 => event(EventKind::Pick, 2, 2, random.below(3) as u32),
                _ => pending(random.below(4) as u32, random.below(9) as u32),
            };
            match random.below(40) {
                0 => one.pad = random.word() as u16,
                1 => one.detail = random.word() as u8,
                2 => one.label = random.word() as u32,
                3 => one.value = random.word() as u32,
                4 => one.site = random.word() as u32,
                _ => {}
            }
            events.push(one);
        }
        let mut setting = Setting::new(&[], &events);
        let Ok(decoded) = setting.decode(Stdin::Fixed(0), &case(&[])) else {
            continue;
        };
        good += 1;
        let moves = &decoded.threads.moves;
        moved += usize::from(!moves.moves.is_empty());
        for one in moves.moves.iter().map(|one| one.choice) {
            assert_eq!(decoded.choices[one as usize].shape, Shape::Thread);
        }
        let causality = Causality::new(moves);
        let all = (moves.moves.len() + moves.pending.len()) as u32;
        for race in causality.races() {
            assert!(race.earlier < race.later && race.later < all);
        }
        let told = ThreadedRun {
            threads: &decoded.threads,
            sites: &[],
            globals: &Globals::new("/nowhere".as_ref(), &[], &[]),
        };
        told.deadlock();
        told.data_races();
    }
    assert!(good > 5_000 && moved > 1_000, "{good} {moved}");
}
