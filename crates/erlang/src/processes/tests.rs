//! Mailboxes: which message is received, and whose moves have to do with each other.

use super::*;
use crate::by_hand::{atom, int, tuple};
use crate::value::Symbol;

/// A process sends a message to another: it has its turn, and the message is there.
fn send(mailboxes: &mut Mailboxes, from: u32, to: u32, message: &Value) -> Vec<Access> {
    let operation = Operation::Send(Some(to), None, message.clone());
    let touched = touch(mailboxes, from, &operation);
    mailboxes.put(to, from, message.clone(), message.clone());
    touched
}

fn touch(mailboxes: &mut Mailboxes, who: u32, operation: &Operation) -> Vec<Access> {
    let range = mailboxes.touch(who, operation, true);
    mailboxes.accesses[range.start as usize..range.end as usize].to_vec()
}

/// Whether two moves have something in common that one of them changes.
fn conflict(first: &[Access], second: &[Access]) -> bool {
    first.iter().any(|one| {
        let same = |other: &&Access| other.object == one.object;
        second
            .iter()
            .filter(same)
            .any(|other| one.writes || other.writes)
    })
}

#[test]
fn messages_wait_until_somebody_takes_them() {
    let mut mailboxes = Mailboxes::default();
    assert!(mailboxes.take(1, &atom("a")).is_none());
    send(&mut mailboxes, 0, 1, &atom("a"));
    assert!(mailboxes.take(2, &atom("a")).is_none());
    assert!(mailboxes.take(1, &atom("b")).is_none());
    assert!(mailboxes.take(1, &atom("a")).is_some());
    assert!(mailboxes.take(1, &atom("a")).is_none());
}

/// What is known of a message beside what it was now goes with it; of two that are alike, the first is taken.
#[test]
fn the_first_message_like_it_is_received() {
    let mut mailboxes = Mailboxes::default();
    let mut terms = elsewise_term::Terms::new();
    let symbols = [1, 2].map(|key| {
        let term = terms.variable(key, elsewise_term::Sort::BitVec(8));
        Value::Symbol(Symbol::Int(term))
    });
    for symbol in &symbols {
        mailboxes.put(1, 0, int(7), symbol.clone());
    }
    mailboxes.put(1, 0, int(8), int(8));
    let taken = |value: Option<Value>| match value {
        Some(Value::Symbol(symbol)) => symbol,
        other => panic!("{other:?}"),
    };
    // Another one between them is no obstacle: a receive picks what it wants.
    assert!(matches!(mailboxes.take(1, &int(8)), Some(Value::Int(8))));
    for symbol in symbols {
        let found = taken(mailboxes.take(1, &int(7)));
        assert_eq!(found, taken(Some(symbol)));
    }
}

/// 1 and 1.0 are other messages.
#[test]
fn messages_are_told_apart_exactly() {
    let mut mailboxes = Mailboxes::default();
    send(&mut mailboxes, 0, 1, &int(1));
    assert!(mailboxes.take(1, &Value::Float(1.0)).is_none());
    assert!(mailboxes.take(1, &int(1)).is_some());
}

#[test]
fn messages_to_one_mailbox_could_have_come_in_the_other_order() {
    let mut mailboxes = Mailboxes::default();
    let first = send(&mut mailboxes, 1, 3, &atom("a"));
    let second = send(&mut mailboxes, 2, 3, &atom("b"));
    let elsewhere = send(&mut mailboxes, 4, 5, &atom("c"));
    assert!(conflict(&first, &second));
    assert!(!conflict(&first, &elsewhere));
    assert!(!conflict(&second, &elsewhere));
}

/// Who has received a message comes after who sent it, and after nobody else.
#[test]
fn a_message_is_received_after_it_was_sent() {
    let mut mailboxes = Mailboxes::default();
    let wanted = send(&mut mailboxes, 1, 3, &atom("a"));
    let other = send(&mut mailboxes, 2, 3, &atom("b"));
    assert!(mailboxes.take(3, &atom("a")).is_some());
    let next = touch(&mut mailboxes, 3, &Operation::Whereis("x".into()));
    assert!(conflict(&wanted, &next));
    assert!(!conflict(&other, &next));
    // It is said once.
    let later = touch(&mut mailboxes, 3, &Operation::Whereis("x".into()));
    assert!(!conflict(&wanted, &later));
}

#[test]
fn the_second_message_of_a_sender_is_another_one() {
    let mut mailboxes = Mailboxes::default();
    let first = send(&mut mailboxes, 1, 3, &atom("a"));
    let second = send(&mut mailboxes, 1, 3, &atom("b"));
    assert!(mailboxes.take(3, &atom("b")).is_some());
    let next = touch(&mut mailboxes, 3, &Operation::Other);
    assert!(conflict(&second, &next));
    assert!(!conflict(&first, &next));
}

#[test]
fn names_are_looked_up_after_they_were_given() {
    let mut mailboxes = Mailboxes::default();
    let registers = touch(&mut mailboxes, 1, &Operation::Register("x".into()));
    let other = touch(&mut mailboxes, 1, &Operation::Register("y".into()));
    let looks = touch(&mut mailboxes, 2, &Operation::Whereis("x".into()));
    let again = touch(&mut mailboxes, 4, &Operation::Whereis("x".into()));
    assert!(conflict(&registers, &looks));
    assert!(!conflict(&other, &looks));
    assert!(!conflict(&looks, &again));
}

#[test]
fn the_end_of_a_process_is_told_to_those_who_watch_it() {
    let mut mailboxes = Mailboxes::default();
    assert!(!mailboxes.told_of(1, 2));
    let ends = touch(&mut mailboxes, 2, &Operation::Finish(vec![1], None));
    assert!(mailboxes.told_of(1, 2));
    let next = touch(&mut mailboxes, 1, &Operation::Other);
    assert!(conflict(&ends, &next));
    let bystander = touch(&mut mailboxes, 5, &Operation::Other);
    assert!(!conflict(&ends, &bystander));
}

#[test]
fn a_process_begins_after_it_was_started() {
    let mut mailboxes = Mailboxes::default();
    let spawns = touch(&mut mailboxes, 0, &Operation::Spawn(1));
    let other = touch(&mut mailboxes, 0, &Operation::Spawn(2));
    let first = touch(&mut mailboxes, 1, &Operation::Other);
    let second = touch(&mut mailboxes, 1, &Operation::Other);
    assert!(conflict(&spawns, &first));
    assert!(!conflict(&other, &first));
    // Only its first move needs that.
    assert!(!conflict(&spawns, &second));
}

#[test]
fn messages_that_tell_of_an_end_name_the_process() {
    let pid = atom("pid");
    let named = |message: &Value| ended_process(message).is_some_and(|found| found.is_atom("pid"));
    let exit = tuple([atom("EXIT"), pid.clone(), atom("normal")]);
    assert!(named(&exit));
    let down = |what: &str| {
        tuple([
            atom("DOWN"),
            int(1),
            atom(what),
            pid.clone(),
            atom("normal"),
        ])
    };
    assert!(named(&down("process")));
    assert!(!named(&down("port")));
    assert!(!named(&tuple([atom("exit"), pid.clone(), atom("normal")])));
    assert!(!named(&pid));
}
