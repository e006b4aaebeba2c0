//! Decoding of shared memory that no subject wrote: made by hand, then damaged at random.

mod threads;
mod values;

use super::*;
use crate::blueprint::assemble;
use crate::blueprint::tests::{entry, sample};
use crate::memory::Capacities;
use elsewise_explore::ApproximationKind;
use elsewise_test_random::Random;
use elsewise_wire::{CONST_LEFT, CONST_RIGHT, Event, EventKind, Node, Op, Reason};

fn memory() -> SharedMemory {
    let capacities = Capacities {
        nodes: 64,
        events: 64,
        coverage: 64,
        input: 4096,
    };
    SharedMemory::create(capacities, false, 0).unwrap()
}

fn sites() -> Sites {
    assemble(String::new(), &[sample(1, "")], &[entry(1, 0, 0)])
        .unwrap()
        .1
}

fn node(op: Op, flags: u8, bits: u16, a: u32, b: u64) -> Node {
    Node {
        op: op as u8,
        flags,
        bits,
        a,
        b,
    }
}

fn event(kind: EventKind, site: u32, label: u32, value: u32) -> Event {
    Event {
        kind: kind as u8,
        detail: Reason::Address as u8,
        pad: 0,
        site,
        label,
        value,
    }
}

fn case(stdin: &[u8]) -> Case {
    let mut case = Case::default();
    case.inputs.insert("stdin".into(), stdin.to_vec());
    case
}

struct Setting {
    memory: SharedMemory,
    sites: Sites,
    decoder: Decoder,
    terms: Terms,
}

impl Setting {
    fn new(nodes: &[Node], events: &[Event]) -> Setting {
        let setting = Setting {
            memory: memory(),
            sites: sites(),
            decoder: Decoder::new("stdin"),
            terms: Terms::new(),
        };
        for (index, node) in nodes.iter().enumerate() {
            setting.memory.put_node(index as u32 + 1, *node);
        }
        for event in events {
            setting.memory.push_event(*event);
        }
        setting
    }

    fn decode(&mut self, stdin: Stdin, case: &Case) -> Result<Decoded, Damaged> {
        self.decoder
            .decode(&self.memory, &self.sites, stdin, case, &mut self.terms)
    }
}

/// Every operation once, over bytes 0 and 1 of four.
fn everything() -> (Vec<Node>, Vec<Event>) {
    let two = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let nodes = vec![
        node(Op::Input, 0, 8, 0, 0),                          // 1
        node(Op::Input, 0, 8, 0, 1),                          // 2
        node(Op::Concat, 0, 16, 1, 2),                        // 3
        node(Op::Add, CONST_RIGHT, 16, 3, 5),                 // 4
        node(Op::Sub, CONST_LEFT, 16, 4, 1000),               // 5
        node(Op::Mul, 0, 16, 4, 5),                           // 6
        node(Op::Slt, 0, 1, 6, 4),                            // 7: branch
        node(Op::ZExt, 0, 32, 7, 0),                          // 8
        node(Op::Ne, CONST_RIGHT, 1, 8, 0),                   // 9: branch
        node(Op::Extract, 0, 4, 6, 3),                        // 10
        node(Op::SExt, 0, 16, 10, 0),                         // 11
        node(Op::Ite, 0, 16, 9, two(11, 4)),                  // 12
        node(Op::Trunc, 0, 8, 12, 0),                         // 13: switch
        node(Op::Not, 0, 8, 13, 0),                           // 14
        node(Op::Neg, 0, 8, 14, 0),                           // 15
        node(Op::Const, 0, 8, 0, 0),                          // 16: value of 15, set below
        node(Op::And, 0, 1, 7, 9),                            // 17
        node(Op::Xor, CONST_RIGHT, 1, 17, 1),                 // 18
        node(Op::Uge, CONST_RIGHT, 1, 2, 0),                  // 19: constant
        node(Op::Concat, CONST_LEFT, 24, 3, 0x7f),            // 20
        node(Op::LShr, CONST_RIGHT, 24, 20, 16),              // 21
        node(Op::Ult, CONST_LEFT, 1, 21, 0x7e),               // 22
        node(Op::Data, 0, 8, 0, 7),                           // 23
        node(Op::Data, 0, 8, 0, 9),                           // 24
        node(Op::Data, 0, 8, 0, 200),                         // 25
        node(Op::Data, 0, 8, 14, 0),                          // 26
        node(Op::Lookup, 0, 8, 1, two(23, 3)),                // 27: of constants
        node(Op::Lookup, 0, 8, 2, two(23, 4)),                // 28: of labels, too
        node(Op::Ult, 0, 1, 27, 28),                          // 29: branch
        node(Op::SIToF, 0, 32, 1, 0),                         // 30
        node(Op::FToF, 0, 64, 30, 0),                         // 31
        node(Op::FMul, CONST_LEFT, 64, 31, 1.5f64.to_bits()), // 32
        node(Op::FToSI, 0, 8, 32, 0),                         // 33
        node(Op::FSqrt, 0, 64, 32, 0),                        // 34
        node(Op::FUlt, 0, 1, 34, 31),                         // 35: branch
    ];
    let events = vec![
        event(EventKind::Branch, 0, 7, 0),
        event(EventKind::Branch, 0, 9, 0),
        event(EventKind::Switch, 1, 13, 2),
        event(EventKind::Concrete, 2, 15, 16),
        event(EventKind::Assume, 3, 18, 1),
        event(EventKind::Opaque, 2, 0, 0),
        event(EventKind::Opaque, 2, 0, 0),
        event(EventKind::Branch, 0, 29, 0),
        event(EventKind::Branch, 0, 35, 0),
    ];
    (nodes, events)
}

#[test]
fn every_choice_holds_for_the_case_that_made_it() {
    // Independent arithmetic for the input 12 34.
    let x: u16 = 0x1234 + 5;
    let y = 1000u16.wrapping_sub(x);
    let product = x.wrapping_mul(y);
    let less = (product as i16) < x as i16;
    let nibble = product >> 3 & 15;
    let extended = if nibble >= 8 { nibble | 0xfff0 } else { nibble };
    let picked = if less { extended } else { x } as u8;
    let negated = (!picked).wrapping_neg();
    // Both indices are beyond the end.
    let looked_up = 200 < !picked;

    let (mut nodes, mut events) = everything();
    nodes[15].b = negated.into();
    events[0].value = u32::from(!less);
    events[1].value = u32::from(!less);
    events[2].value = match picked {
        1 => 0,
        200 => 1,
        _ => 2,
    };
    events[4].value = u32::from(less);
    events[7].value = u32::from(!looked_up);
    let mut setting = Setting::new(&nodes, &events);
    let decoded = setting
        .decode(Stdin::Fixed(4), &case(&[0x12, 0x34, 0, 0]))
        .unwrap();
    // The second branch and the assumption say what the first branch has settled.
    assert_eq!(decoded.choices.len(), 5);
    for choice in &decoded.choices {
        let condition = choice.taken_condition(&mut setting.terms);
        assert!(
            setting.terms.eval_bool(condition, &decoded.present),
            "{choice:?}"
        );
    }
    assert_eq!(decoded.choices[2].taken, u64::from(negated));
    assert_eq!(
        decoded.approximations,
        [Approximation {
            kind: ApproximationKind::OpaqueAddress,
            site: Some(SiteId(2))
        }]
    );
}

#[test]
fn a_condition_that_is_always_what_happened_is_no_choice() {
    let (nodes, _) = everything();
    for (label, value) in [(19, 0), (22, 0)] {
        let mut setting = Setting::new(&nodes, &[event(EventKind::Branch, 0, label, value)]);
        let decoded = setting.decode(Stdin::Fixed(4), &case(&[0; 4])).unwrap();
        // 22 needs the simplifier to see through shift and concatenation; either way nothing
        // may be wrong.
        assert!(decoded.approximations.is_empty());
        if label == 19 {
            assert!(decoded.choices.is_empty());
        }
    }
}

#[test]
fn a_condition_that_cannot_have_happened_cuts_the_trace() {
    let (nodes, _) = everything();
    let events = [
        event(EventKind::Branch, 0, 7, 0),
        event(EventKind::Branch, 0, 19, 1),
        event(EventKind::Branch, 0, 9, 0),
    ];
    let mut setting = Setting::new(&nodes, &events);
    let decoded = setting.decode(Stdin::Fixed(4), &case(&[0; 4])).unwrap();
    assert_eq!(decoded.choices.len(), 1);
    assert_eq!(
        decoded.approximations[0].kind,
        ApproximationKind::LabelMismatch
    );
}

#[test]
fn a_free_length_is_bounded_where_it_first_matters() {
    let nodes = [
        node(Op::Input, 0, 8, 0, 9),
        node(Op::Length, 0, 64, 0, 0),
        node(Op::Uge, CONST_RIGHT, 1, 2, 10),
        node(Op::Eq, CONST_RIGHT, 1, 1, 7),
    ];
    let events = [
        event(EventKind::Branch, 0, 4, 1),
        event(EventKind::Branch, 2, 3, 1),
        event(EventKind::Branch, 2, 3, 1),
    ];
    let mut setting = Setting::new(&nodes, &events);
    let decoded = setting
        .decode(Stdin::Free { max: 100 }, &case(&[1; 5]))
        .unwrap();
    let kinds: Vec<_> = decoded
        .choices
        .iter()
        .map(|choice| (choice.site, matches!(choice.shape, Shape::Assume { .. })))
        .collect();
    let bound = setting.sites.bound_site();
    assert_eq!(
        kinds,
        [(SiteId(0), false), (bound, true), (SiteId(2), false)]
    );
    for choice in &decoded.choices {
        let condition = choice.taken_condition(&mut setting.terms);
        assert!(setting.terms.eval_bool(condition, &decoded.present));
    }
    // With a fixed size there is no length, and no byte beyond it.
    assert!(setting.decode(Stdin::Fixed(5), &case(&[1; 5])).is_err());
    assert!(setting.decode(Stdin::Fixed(10), &case(&[1; 10])).is_err());
}

#[test]
fn named_inputs_are_told_apart() {
    let nodes = [
        node(Op::Input, 0, 8, 1, 0),
        node(Op::Input, 0, 8, 2, 0),
        node(Op::Ult, 0, 1, 1, 2),
    ];
    let mut setting = Setting::new(&nodes, &[event(EventKind::Branch, 0, 3, 0)]);
    setting.memory.put_stream(1, "x", 0, 1);
    setting.memory.put_stream(2, "x", 1, 1);
    let mut case = case(&[]);
    case.inputs.insert("x".into(), vec![3]);
    case.inputs.insert("x.1".into(), vec![4]);
    let decoded = setting.decode(Stdin::Fixed(0), &case).unwrap();
    let condition = decoded.choices[0].taken_condition(&mut setting.terms);
    assert!(setting.terms.eval_bool(condition, &decoded.present));
}

#[test]
fn lost_events_are_said() {
    let mut setting = Setting::new(&[], &[]);
    setting.memory.put_lost(1, 0);
    let decoded = setting.decode(Stdin::Fixed(0), &case(&[])).unwrap();
    assert_eq!(decoded.approximations[0].kind, ApproximationKind::TraceCut);
}

#[test]
fn a_run_with_very_many_choices_is_cut() {
    let nodes = [
        node(Op::Input, 0, 8, 0, 0),
        node(Op::Input, 0, 8, 0, 1),
        node(Op::Eq, CONST_RIGHT, 1, 1, 7),
        node(Op::Eq, CONST_RIGHT, 1, 2, 7),
    ];
    let events = [
        event(EventKind::Branch, 0, 3, 0),
        event(EventKind::Branch, 0, 4, 0),
    ];
    for (most, kept, cut) in [(1, 1, true), (2, 2, false)] {
        let mut setting = Setting::new(&nodes, &events);
        setting.decoder.most = most;
        let decoded = setting.decode(Stdin::Fixed(4), &case(&[0; 4])).unwrap();
        assert_eq!(decoded.choices.len(), kept);
        let told = decoded.approximations.iter().map(|it| it.kind);
        assert_eq!(
            told.collect::<Vec<_>>(),
            if cut {
                vec![ApproximationKind::TraceCut]
            } else {
                vec![]
            }
        );
    }
}

#[test]
fn nonsense_is_damaged() {
    let good = node(Op::Input, 0, 8, 0, 0);
    let compare = node(Op::Eq, CONST_RIGHT, 1, 1, 7);
    let branch = event(EventKind::Branch, 0, 2, 0);
    let bad_nodes = [
        node(Op::None, 0, 8, 0, 0),
        node(Op::Input, 0, 8, 0, 4),
        node(Op::Input, 0, 8, 7, 0),
        node(Op::Input, 0, 16, 0, 0),
        node(Op::Eq, 0, 1, 1, 2),
        node(Op::Eq, 0, 1, 2, 1),
        node(Op::Eq, 3, 1, 1, 1),
        node(Op::Eq, CONST_RIGHT, 2, 1, 1),
        node(Op::Add, CONST_RIGHT, 1, 1, 1),
        node(Op::Concat, CONST_RIGHT, 8, 1, 1),
        node(Op::Concat, 0, 17, 1, 1),
        node(Op::Extract, 0, 4, 1, 5),
        node(Op::Extract, 0, 4, 1, u64::MAX),
        node(Op::Trunc, 0, 9, 1, 0),
        node(Op::ZExt, 0, 7, 1, 0),
        node(Op::Not, CONST_RIGHT, 8, 1, 0),
        node(Op::Ite, 0, 8, 1, 1 | 1 << 32),
        node(Op::Neg, 0, 0, 1, 0),
        node(Op::SExt, 0, u16::MAX, 1, 0),
        node(Op::Const, 0, 65, 0, 0),
        node(Op::Data, 0, 1, 0, 1),
        node(Op::FAdd, 0, 8, 1, 1),
        node(Op::FOlt, 0, 1, 1, 1),
        node(Op::FNeg, 0, 8, 1, 0),
        node(Op::SIToF, 0, 16, 1, 0),
        node(Op::SIToF, 0, 80, 1, 0),
        node(Op::FToSI, 0, 8, 1, 0),
    ];
    for bad in bad_nodes {
        let mut setting = Setting::new(&[good, bad], &[branch]);
        let result = setting.decode(Stdin::Fixed(4), &case(&[0; 4]));
        assert!(result.is_err(), "{bad:?}");
    }
    let bad_events = [
        event(EventKind::Branch, 0, 0, 0),
        event(EventKind::Branch, 0, 3, 0),
        event(EventKind::Branch, 0, 1, 0),
        event(EventKind::Branch, 0, 2, 2),
        event(EventKind::Branch, 1, 2, 0),
        event(EventKind::Branch, 99, 2, 0),
        event(EventKind::Switch, 0, 2, 0),
        event(EventKind::Switch, 1, 1, 3),
        event(EventKind::Concrete, 2, 1, 2),
        event(EventKind::Concrete, 2, 1, 77),
    ];
    for bad in bad_events {
        let mut setting = Setting::new(&[good, compare], &[bad]);
        let result = setting.decode(Stdin::Fixed(4), &case(&[0; 4]));
        assert!(result.is_err(), "{bad:?}");
    }
    let mut setting = Setting::new(&[good, compare], &[branch]);
    assert!(setting.decode(Stdin::Fixed(4), &case(&[0; 4])).is_ok());
}

#[test]
fn a_chain_as_long_as_the_memory_does_not_recurse() {
    let capacities = Capacities {
        nodes: 1 << 20,
        events: 4,
        coverage: 64,
        input: 4096,
    };
    let memory = SharedMemory::create(capacities, false, 0).unwrap();
    memory.put_node(1, node(Op::Input, 0, 8, 0, 0));
    let last = (1 << 20) - 1;
    for label in 2..last {
        let op = if label % 2 == 0 { Op::Mul } else { Op::Add };
        memory.put_node(label, node(op, CONST_RIGHT, 8, label - 1, 3));
    }
    memory.put_node(last, node(Op::Eq, CONST_RIGHT, 1, last - 1, 7));
    memory.push_event(event(EventKind::Branch, 0, last, 1));
    let mut terms = Terms::new();
    let decoded = Decoder::new("stdin")
        .decode(&memory, &sites(), Stdin::Fixed(1), &case(&[1]), &mut terms)
        .unwrap();
    assert_eq!(decoded.choices.len(), 1);
}

#[test]
fn no_mutation_makes_decoding_panic() {
    let (nodes, events) = everything();
    let mut setting = Setting::new(&nodes, &events);
    setting.memory.put_stream(1, "x", 0, 4);
    let mut random = Random::new(0x5eed);
    let areas = setting.memory.areas();
    let used = [
        // Counters and the first streams: where the header is read.
        (64, 256),
        (areas[0].0 + 1600, 256),
        (areas[2].0, 16 * events.len() as u64),
        (areas[3].0, 16 * (nodes.len() as u64 + 1)),
        (areas[3].0, 16 * (nodes.len() as u64 + 1)),
    ];
    let stdins = [Stdin::Fixed(4), Stdin::Free { max: 64 }];
    let (mut good, mut bad) = (0, 0);
    let rounds = std::env::var("ELSEWISE_MUTATIONS").map_or(200_000, |n| n.parse().unwrap());
    for round in 0..rounds {
        let mut undo = Vec::new();
        for _ in 0..1 + random.below(3) {
            let (from, length) = *random.pick(&used);
            let at = from + random.word_below(length);
            undo.push((at, setting.memory.peek(at)));
            let byte = match random.below(3) {
                0 => random.word() as u8,
                1 => random.below(40) as u8,
                _ => setting.memory.peek(at) ^ 1 << random.below(8),
            };
            setting.memory.poke(at, byte);
        }
        match setting.decode(stdins[round % 2], &case(&[1, 2, 3, 4])) {
            Ok(decoded) => {
                good += 1;
                for choice in &decoded.choices {
                    let condition = choice.taken_condition(&mut setting.terms);
                    setting.terms.eval_bool(condition, &decoded.present);
                }
            }
            Err(Damaged(_)) => bad += 1,
        }
        for (at, byte) in undo.into_iter().rev() {
            setting.memory.poke(at, byte);
        }
        // Terms of all mutants together would be most of the test's time.
        if setting.terms.len() > 100_000 {
            setting.terms = Terms::new();
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} good, {bad} bad");
    assert!(setting.decoder.streams.key(1).is_some());
}
