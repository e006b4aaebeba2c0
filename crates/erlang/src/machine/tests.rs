//! Functions of a few expressions with the events that a run of theirs would tell.

use super::*;
use crate::by_hand::{Table, atom, call, int, literal, tuple};
use crate::program::{Clause, Function, Pattern};

/// A program with one function of one parameter, the variable 0. Clauses of site 1 have the numbers 10 and up.
fn program(body: Expr) -> Program {
    let function = Function {
        module: "m".into(),
        name: ("f".into(), 1),
        line: 1,
        parameters: vec![0],
        variables: 8,
        body,
        names: Default::default(),
    };
    Program {
        functions: vec![function],
        primitives: [("erlang".into(), "+".into(), 2)].into_iter().collect(),
        clauses: (0..5).map(|index| (10 + index, (1, index))).collect(),
        ..Program::default()
    }
}

/// What following a run gives: its value or why it was lost, how many choices it made, and what was counted.
fn follow(body: Expr, argument: &Value, events: Vec<Event>) -> (String, usize, usize) {
    let program = program(body);
    let mut table = Table::new();
    let (run, arguments) = table.begin(&[argument]);
    let mut machine = Machine::new(&program, events, run);
    let shown = match machine.follow(0, arguments) {
        Ok(Some(value)) => {
            let now = machine.run.concrete(&value).expect("it is known");
            crate::text::erlang(&now)
        }
        Ok(None) => "raises".into(),
        Err(Lost::Ended) => "ended".into(),
        Err(Lost::Because(why)) => format!("{why:?}"),
    };
    let path = &machine.run.path;
    (shown, path.choices.len(), path.approximations.len())
}

fn clause(pattern: Pattern, guard: Expr, body: Expr) -> Clause {
    Clause {
        patterns: vec![pattern],
        guard,
        body,
        generated: false,
    }
}

fn truth() -> Expr {
    literal(atom("true"))
}

fn x() -> Expr {
    Expr::Variable(0)
}

fn case(of: Expr, clauses: Vec<Clause>) -> Expr {
    Expr::Case(Box::new(Case {
        site: 1,
        silent: false,
        arguments: vec![of],
        clauses,
    }))
}

/// `case X of 1 -> one; {Y, _} when Y > 2 -> Y; _ -> other end`.
fn three_ways() -> Expr {
    let pair = Pattern::Tuple(vec![Pattern::Variable(1), Pattern::Variable(2)]);
    let large = call(">", vec![Expr::Variable(1), literal(int(2))]);
    case(
        x(),
        vec![
            clause(Pattern::Literal(int(1)), truth(), literal(atom("one"))),
            clause(pair, large, Expr::Variable(1)),
            clause(Pattern::Variable(3), truth(), literal(atom("other"))),
        ],
    )
}

#[test]
fn the_clause_that_was_taken_gives_the_value() {
    let told = |number| vec![Event::Clause(number)];
    let pair = |first| tuple([int(first), atom("a")]);
    for (value, clause, shown) in [
        (int(1), 10, "one"),
        (pair(3), 11, "3"),
        (pair(2), 12, "other"),
        (Value::Nil, 12, "other"),
    ] {
        let followed = follow(three_ways(), &value, told(clause));
        assert_eq!(followed, (shown.into(), 1, 0), "{value:?}");
    }
}

/// The conditions do not say what the run did: that is counted.
#[test]
fn a_clause_that_could_not_have_been_taken_is_counted() {
    for (value, clause) in [(int(1), 11), (int(1), 12), (int(2), 10)] {
        let (_, _, counted) = follow(three_ways(), &value, vec![Event::Clause(clause)]);
        assert_eq!(counted, 1, "{value:?} {clause}");
    }
}

#[test]
fn events_that_do_not_fit_are_not_followed() {
    let one = int(1);
    let shown = |events| follow(three_ways(), &one, events).0;
    assert_eq!(shown(vec![]), "ended");
    assert_eq!(shown(vec![Event::Clause(99)]), "LabelMismatch");
    assert_eq!(
        shown(vec![Event::Clause(10), Event::Clause(10)]),
        "LabelMismatch"
    );
}

/// `try X + 1 of Y -> Y catch C:R -> {C, R} end`.
#[test]
fn an_error_is_caught_where_it_is_tried() {
    let body = || {
        Expr::Try(Box::new(Try {
            body: call("+", vec![x(), literal(int(1))]),
            variables: vec![1],
            then: Expr::Variable(1),
            caught: vec![2, 3],
            handler: Expr::Tuple(vec![Expr::Variable(2), Expr::Variable(3)]),
        }))
    };
    let told = || {
        let (class, reason) = (atom("error"), atom("badarith"));
        vec![Event::Caught(class, reason)]
    };
    assert_eq!(follow(body(), &int(4), vec![]).0, "5");
    assert_eq!(follow(body(), &Value::Float(0.5), vec![]).0, "1.5");
    assert_eq!(follow(body(), &atom("a"), told()).0, "{error, badarith}");
}

/// `catch` gives what was thrown, and what became of errors and exits.
#[test]
fn what_is_caught_tells_how_it_was_raised() {
    let raised = |name: &str| Expr::Catch(Box::new(call(name, vec![x()])));
    let told = |class: &str| vec![Event::Caught(atom(class), atom("a"))];
    assert_eq!(follow(raised("throw"), &atom("a"), told("throw")).0, "a");
    assert_eq!(
        follow(raised("exit"), &atom("a"), told("exit")).0,
        "{'EXIT', a}"
    );
}

#[test]
fn an_error_that_nobody_catches_is_the_end() {
    let body = || {
        let sum = call("+", vec![x(), literal(int(1))]);
        Expr::Let(vec![1], Box::new(sum), Box::new(literal(atom("done"))))
    };
    assert_eq!(follow(body(), &int(4), vec![]).0, "done");
    assert_eq!(follow(body(), &atom("a"), vec![]).0, "raises");
}

/// Bound variables are those of the clause that was taken.
#[test]
fn variables_are_bound_by_the_clause_that_was_taken() {
    let pair = |first, second| Pattern::Tuple(vec![first, second]);
    let body = case(
        x(),
        vec![
            clause(
                pair(Pattern::Variable(1), Pattern::Literal(atom("a"))),
                truth(),
                Expr::Variable(1),
            ),
            clause(
                pair(Pattern::Literal(int(1)), Pattern::Variable(1)),
                truth(),
                Expr::Variable(1),
            ),
        ],
    );
    let value = tuple([int(1), atom("b")]);
    let followed = follow(body, &value, vec![Event::Clause(11)]);
    assert_eq!(followed, ("b".into(), 1, 0));
}

/// A message that was taken out of the mailbox, and the time that passed without one.
#[test]
fn what_is_received_is_told() {
    let body = || {
        Expr::Receive(Box::new(Receive {
            site: 1,
            clauses: vec![
                clause(Pattern::Literal(atom("a")), truth(), x()),
                clause(Pattern::Variable(1), truth(), Expr::Variable(1)),
            ],
            late: literal(atom("late")),
        }))
    };
    let received = |clause, message| vec![Event::Received(clause, message)];
    let shown = |events| follow(body(), &int(7), events).0;
    assert_eq!(shown(received(10, atom("a"))), "7");
    assert_eq!(shown(received(11, atom("b"))), "b");
    assert_eq!(shown(vec![Event::Late]), "late");
    assert_eq!(shown(received(99, atom("b"))), "LabelMismatch");
}
