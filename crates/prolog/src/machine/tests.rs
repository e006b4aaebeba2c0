//! Small programs with the events that a run of theirs would write: what the machine follows, what it
//! refuses, and how its control constructs, errors and waiting constraints go.

use super::*;
use crate::by_hand::{program, term, with};

/// The events of a run: numbers of those that are numbered, and what else there is.
enum Told {
    Event(u32),
    /// An event with what was told.
    With(u32, &'static str),
    Failed,
    Solution,
    /// An error was caught here: the catch and the error.
    Caught(u32, &'static str),
}
use Told::*;

fn text(told: &[Told]) -> String {
    let event = |number: &u32| char::from_u32(256 + number).expect("below the surrogates");
    let mut text = String::new();
    for one in told {
        match one {
            Event(number) => text.push(event(number)),
            With(number, what) => {
                text.push(event(number));
                text.push_str(what);
                text.push('\n');
            }
            Failed => text.push('\u{2}'),
            Solution => text.push('\u{3}'),
            Caught(number, what) => {
                text.push('\u{4}');
                text.push(event(number));
                text.push_str(what);
                text.push('\n');
            }
        }
    }
    text
}

/// Follows a call of `p` with one argument for one solution: how many choices it made.
fn follow(clauses: &[&str], argument: &str, told: &[Told]) -> Result<usize, Lost> {
    follow_for(clauses, argument, told, 1).map(|(choices, _)| choices)
}

fn follow_for(
    clauses: &[&str],
    argument: &str,
    told: &[Told],
    solutions: usize,
) -> Result<(usize, Vec<(u32, u64)>), Lost> {
    let mut lines = vec![
        "pred(0,user,p,1,static,'p.pl',1)",
        "pred(1,user,q,1,static,'p.pl',9)",
        "entry(0)",
    ];
    lines.extend(clauses);
    let program = program(&lines);
    let mut terms = Terms::new();
    let events = text(told);
    with(
        &program,
        &mut terms,
        &[argument],
        &events,
        |machine, args| {
            machine.follow(args, solutions)?;
            Ok((machine.path.choices.len(), machine.covered.clone()))
        },
    )
}

const MISMATCH: Lost = Lost(ApproximationKind::LabelMismatch);
const CUT_SHORT: Lost = Lost(ApproximationKind::TraceCut);

const FACTS: [&str; 3] = [
    "clause(0,1,1,p(a),true)",
    "clause(0,2,2,p(b),true)",
    "clause(0,3,3,p(_0),true)",
];

/// The clauses that apply are tried in turn, the others are part of the condition.
#[test]
fn clauses_that_apply_are_tried_in_order() {
    let all = |argument, told: &[Told]| follow_for(&FACTS, argument, told, 9).is_ok();
    assert!(all("a", &[Event(1), Solution, Event(3), Solution]));
    assert!(all("b", &[Event(2), Solution, Event(3), Solution]));
    assert!(all("c", &[Event(3), Solution]));
    // For each clause whose head does not take everything, whether it applies.
    assert_eq!(follow(&FACTS, "a", &[Event(1), Solution]), Ok(1));
    assert_eq!(follow(&FACTS, "b", &[Event(2), Solution]), Ok(2));
    assert_eq!(follow(&FACTS, "c", &[Event(3), Solution]), Ok(2));
}

#[test]
fn a_run_that_did_something_else_is_not_followed() {
    assert_eq!(follow(&FACTS, "a", &[Event(2), Solution]), Err(MISMATCH));
    assert_eq!(follow(&FACTS, "a", &[Event(1), Event(1)]), Err(MISMATCH));
    assert_eq!(follow(&FACTS, "a", &[Event(1)]), Err(CUT_SHORT));
    assert_eq!(follow(&FACTS, "a", &[]), Err(CUT_SHORT));
}

#[test]
fn a_cut_leaves_no_other_clause() {
    let clauses = [
        "clause(0,1,1,p(_0),and(user(1,q(_0)),and(cut,builtin(5,==(_0,b)))))",
        "clause(0,2,2,p(_0),true)",
        "clause(1,3,3,q(_0),true)",
        "clause(1,4,4,q(_0),true)",
    ];
    // Neither the second clause of `q` nor that of `p`.
    let once = [Event(1), Event(3)];
    assert!(follow_for(&clauses, "a", &once, 9).is_ok());
    let b = [Event(1), Event(3), Event(5), Solution];
    assert!(follow_for(&clauses, "b", &b, 9).is_ok());
}

#[test]
fn a_condition_is_asked_once_and_its_other_way_is_forgotten() {
    let clauses = [
        "clause(0,1,1,p(_0),ite(user(1,q(_0)),builtin(5,atom(_0)),builtin(6,atom(_0))))",
        "clause(1,2,2,q(a),true)",
        "clause(1,3,3,q(a),true)",
    ];
    let yes = [Event(1), Event(2), Event(5), Solution];
    assert!(follow_for(&clauses, "a", &yes, 9).is_ok());
    let no = [Event(1), Event(6), Solution];
    assert!(follow_for(&clauses, "b", &no, 9).is_ok());
}

/// With `*->` the condition may have several answers, and then there is no other way.
#[test]
fn a_soft_cut_keeps_the_answers_of_its_condition() {
    let clauses = [
        "clause(0,1,1,p(_0),soft(user(1,q(_0)),builtin(5,atom(_0)),builtin(6,atom(_0))))",
        "clause(1,2,2,q(a),true)",
        "clause(1,3,3,q(a),true)",
    ];
    let both = [
        Event(1),
        Event(2),
        Event(5),
        Solution,
        Event(3),
        Event(5),
        Solution,
    ];
    assert!(follow_for(&clauses, "a", &both, 9).is_ok());
    let no = [Event(1), Event(6), Solution];
    assert!(follow_for(&clauses, "b", &no, 9).is_ok());
}

#[test]
fn what_is_negated_binds_nothing() {
    let clauses = [
        "clause(0,1,1,p(_0),and(not(and(builtin(5,=(_1,a)),builtin(6,==(_0,b)))),builtin(7,var(_1))))",
    ];
    // The inner goal fails for `a`, so that its negation holds.
    let holds = [Event(1), Event(5), Event(7), Solution];
    assert!(follow_for(&clauses, "a", &holds, 9).is_ok());
    let fails = [Event(1), Event(5), Event(6)];
    assert!(follow_for(&clauses, "b", &fails, 9).is_ok());
}

#[test]
fn all_answers_are_collected_in_order() {
    let clauses = [
        "clause(0,1,1,p(_0),and(findall(5,f(_1),user(1,q(_1)),_2),builtin(6,==(_2,[f(a),f(b)]))))",
        "clause(1,2,2,q(a),true)",
        "clause(1,3,3,q(b),true)",
    ];
    let told = [Event(1), Event(2), Event(3), Event(5), Event(6), Solution];
    assert!(follow_for(&clauses, "a", &told, 9).is_ok());
}

#[test]
fn an_error_goes_to_the_innermost_catch_that_takes_it() {
    // catch(catch(throw(X), a, b5), Y, Y == b).
    let clauses = [
        "clause(0,1,1,p(_0),catch(7,catch(6,builtin(5,throw(_0)),a,builtin(8,==(_0,a))),_1,builtin(9,==(_1,b))))",
    ];
    let inner = [Event(1), Caught(6, "a"), Event(8), Solution];
    assert!(follow(&clauses, "a", &inner).is_ok());
    let outer = [Event(1), Caught(7, "b"), Event(9), Solution];
    assert!(follow(&clauses, "b", &outer).is_ok());
    // Which catch it is depends on the input: that is a choice.
    assert!(follow(&clauses, "b", &outer).is_ok_and(|choices| choices >= 1));
    // The other one cannot be.
    assert!(follow(&clauses, "a", &outer).is_err());
}

/// What was bound before the error is unbound again, and choices made inside are no more.
#[test]
fn an_error_undoes_what_was_done_inside() {
    let clauses = [
        "clause(0,1,1,p(_0),and(catch(7,and(user(1,q(_1)),and(builtin(5,=(_2,_1)),builtin(6,throw(oops)))),oops,true),builtin(8,var(_2))))",
        "clause(1,2,2,q(a),true)",
        "clause(1,3,3,q(b),true)",
    ];
    let told = [
        Event(1),
        Event(2),
        Event(5),
        Caught(7, "oops"),
        Event(8),
        Solution,
    ];
    assert!(follow_for(&clauses, "a", &told, 9).is_ok());
}

/// Behind its catch, an error inside of it is no longer caught there.
#[test]
fn a_catch_that_was_left_catches_nothing() {
    let clauses = [
        "clause(0,1,1,p(_0),catch(7,and(catch(6,builtin(4,atom(_0)),_1,true),builtin(5,throw(oops))),oops,true))",
    ];
    let outer = [Event(1), Event(4), Caught(7, "oops"), Solution];
    assert!(follow(&clauses, "a", &outer).is_ok());
    let inner = [Event(1), Event(4), Caught(6, "oops"), Solution];
    assert!(follow(&clauses, "a", &inner).is_err());
}

/// An error that nobody catches is the end of the run.
#[test]
fn an_error_of_arithmetic_ends_the_run() {
    let clauses = ["clause(0,1,1,p(_0),builtin(5,is(_1,//(6,_0))))"];
    assert!(follow(&clauses, "0", &[Event(1)]).is_ok());
    assert!(follow(&clauses, "a", &[Event(1)]).is_ok());
    assert!(follow(&clauses, "2", &[Event(1), Event(5), Solution]).is_ok());
    assert_eq!(follow(&clauses, "2", &[Event(1)]), Err(CUT_SHORT));
}

/// What a body begins with decides whether its clause applies; one that does not hold is no error.
#[test]
fn constraints_at_the_neck_are_part_of_the_head() {
    let clauses = [
        "clause(0,1,1,p(_0),and(builtin(5,dif(_0,a)),builtin(6,atom(_0))))",
        "clause(0,2,2,p(_0),true)",
    ];
    let other = [Event(1), Event(5), Event(6), Solution];
    assert!(follow(&clauses, "b", &other).is_ok());
    // The real run enters the clause and fails there.
    let same = [Event(1), Event(2), Solution];
    assert!(follow(&clauses, "a", &same).is_ok());
}

/// `dif` of what is not bound yet waits, and is looked at again when it is.
#[test]
fn a_constraint_waits_for_its_variable() {
    let clauses = [
        "clause(0,1,1,p(_0),and(builtin(4,atom(_0)),and(builtin(5,dif(_1,a)),builtin(6,=(_1,_0)))))",
    ];
    let differs = [Event(1), Event(4), Event(5), Event(6), Solution];
    assert!(follow_for(&clauses, "b", &differs, 9).is_ok());
    let same = [Event(1), Event(4), Event(5)];
    assert!(follow_for(&clauses, "a", &same, 9).is_ok());
}

#[test]
fn goals_that_are_not_modelled_are_told() {
    let clauses = ["clause(0,1,1,p(_0),and(opaque(5,member(_1,[a,b])),builtin(6,==(_0,_1))))"];
    // Two answers, the second of them the last.
    let told = [
        Event(1),
        With(5, "[a,[a,b]]"),
        With(5, "det([b,[a,b]])"),
        Event(6),
        Solution,
    ];
    assert!(follow_for(&clauses, "b", &told, 9).is_ok());
    let none = [Event(1), Failed];
    assert!(follow_for(&clauses, "b", &none, 9).is_ok());
}

/// Whether heads unified and bodies succeeded is what coverage counts.
#[test]
fn both_sides_of_clauses_are_covered() {
    let clauses = [
        "clause(0,1,1,p(a),builtin(5,==(a,b)))",
        "clause(0,2,2,p(_0),builtin(6,atom(_0)))",
    ];
    let program = program(
        &[
            &["pred(0,user,p,1,static,'p.pl',1)", "entry(0)"][..],
            &clauses,
        ]
        .concat(),
    );
    let site = |clause: usize| {
        let clause = &program.clauses[clause];
        (clause.head_site, clause.body_site)
    };
    let told = [Event(1), Event(2), Event(6), Solution];
    let (_, covered) = follow_for(&clauses, "a", &told, 1).expect("a run");
    let ((head, body), (_, other)) = (site(0), site(1));
    assert!(covered.contains(&(head, 0)) && !covered.contains(&(head, 1)));
    assert!(covered.contains(&(body, 1)) && !covered.contains(&(body, 0)));
    assert!(covered.contains(&(other, 0)));
    let told = [Event(2), Event(6), Solution];
    let (_, covered) = follow_for(&clauses, "b", &told, 1).expect("a run");
    assert!(covered.contains(&(head, 1)));
}

#[test]
fn terms_are_kept_apart_from_the_store() {
    let program = crate::by_hand::mentions();
    let mut terms = Terms::new();
    with(&program, &mut terms, &[], "", |machine, _| {
        let pair = machine.made("f(_0,g(_0,_1))");
        let stored = machine.stored(&pair);
        let loaded = machine.loaded(&stored);
        machine.unify(&pair, &term("f(a,g(a,b))"));
        // The copy has variables of its own, as many as there were.
        let twice = machine.made("f(_0,g(_0,_1))");
        machine.unify(&loaded, &twice);
        let Some([first, rest]) = loaded.args_of("f") else {
            panic!("a pair");
        };
        let (first, rest) = (first.clone(), rest.clone());
        assert!(matches!(machine.value(&first), Term::Var(_)));
        let Some([again, _]) = rest.args_of::<2>("g") else {
            panic!("a pair");
        };
        let again = again.clone();
        let same = machine.same(&first, &again);
        assert_eq!(machine.terms.as_bool(same), Some(true));
    });
}
