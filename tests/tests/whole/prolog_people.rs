//! What people of Prolog have of it: tests that plunit runs, every verb on a campaign of theirs, and words
//! for what cannot be explored.

use anyhow::{Result, ensure};
use elsewise_report::machine::FORMATS;
use elsewise_tests::place::Place;

/// A predicate with an error at one amount of money, and a ball of its own.
const BANK: &str = r#":- module(bank, [take/3]).

%! take(+Balance:integer, +Amount:integer, -Result) is semidet.
take(_, Amount, _) :-
    Amount < 0,
    throw(negative(Amount)).
take(Balance, Amount, too_little) :-
    Amount > Balance,
    !.
take(Balance, Amount, left(Rest)) :-
    Amount < 1000,
    Rest is Balance - Amount + 100 // (Amount - 13).
"#;

const EXPLORE: &str = "elsewise explore src/bank.pl::take/3 --quiet --budget 240s";

#[test]
fn every_verb_knows_a_predicate() -> Result<()> {
    let place = Place::new(&[("src/bank.pl", BANK)])?;
    let summary = place.json(&format!("{EXPLORE} --format json"), 2)?;
    ensure!(
        place.kinds(&summary["findings"]) == ["error", "throw"],
        "{summary:#}"
    );
    let text = place.expect(EXPLORE, 2)?;
    for words in [
        "take(",
        "division by zero",
        "src/bank.pl:12",
        "elsewise replay",
    ] {
        ensure!(text.contains(words), "no `{words}` in\n{text}");
    }
    ensure!(text.contains("too_little"), "{text}");

    let id = place.finding("error")?;
    let shown = place.expect(&format!("elsewise show {id}"), 0)?;
    ensure!(shown.contains(", 13, "), "no call of 13:\n{shown}");
    ensure!(
        shown.contains("100 // (Amount - 13)"),
        "no source:\n{shown}"
    );

    let replayed = place.expect(&format!("elsewise replay {id}"), 2)?;
    ensure!(replayed.contains("division by zero"), "{replayed}");
    let replayed = place.json("elsewise replay run:0 --format json", 0)?;
    ensure!(replayed["fails"] == false, "{replayed:#}");
    place.expect(&format!("elsewise replay {id} --gdb"), 1)?;
    let shell = place.expect(&format!("elsewise replay {id} --shell < /dev/null"), 0)?;
    for words in ["?- bank:take(", ", 13, ", "zero_divisor"] {
        ensure!(shell.contains(words), "no `{words}` in\n{shell}");
    }

    place.expect("elsewise status", 0)?;
    let forms = FORMATS.iter().map(|format| format.flag);
    for form in forms.chain(["dot"]) {
        let text = place.expect(&format!("elsewise report --{form}"), 0)?;
        ensure!(!text.is_empty(), "nothing in --{form}");
    }
    place.expect("elsewise report --html -o page.html", 0)?;
    ensure!(place.read("page.html")?.contains("too_little"));
    place.expect("elsewise report --test-comp", 1)?;

    place.expect("elsewise check", 0)?;
    place.write("src/bank.pl", &BANK.replace("too_little", "not_enough"))?;
    place.expect("elsewise check", 0)?;
    let broken = BANK.replace("    Amount > Balance,\n", "    Amount > Balance + x,\n");
    place.write("src/bank.pl", &broken)?;
    let changed = place.expect("elsewise check", 2)?;
    ensure!(changed.contains("type error"), "{changed}");
    Ok(())
}

/// A passing file passes and a failing one fails; repaired, the failing one passes, and changed, a kept one
/// fails.
#[test]
fn plunit_runs_what_is_exported() -> Result<()> {
    let place = Place::new(&[("src/bank.pl", BANK)])?;
    place.expect(EXPLORE, 2)?;
    place.expect("elsewise export --out test", 0)?;
    let kept = place.read("test/bank_take_elsewise.plt")?;
    for words in [
        ":- use_module('../src/bank.pl', []).",
        "== too_little)]",
        "== left(",
    ] {
        ensure!(kept.contains(words), "no `{words}` in\n{kept}");
    }
    let failing = place.read("test/bank_take_elsewise_failing.plt")?;
    ensure!(failing.contains(", 13, "), "{failing}");
    let run = |name: &str| format!("swipl -g run_tests -t halt test/{name}.plt");
    let passed = place.expect(&run("bank_take_elsewise"), 0)?;
    ensure!(passed.contains("passed"), "{passed}");
    let failed = place.expect(&run("bank_take_elsewise_failing"), 1)?;
    ensure!(
        failed.contains("zero_divisor") && failed.contains("negative(-"),
        "{failed}"
    );

    let repaired = BANK.replace("Amount - 13", "Amount + 14");
    let repaired = repaired.replace("throw(negative(Amount))", "!, fail");
    place.write("src/bank.pl", &repaired)?;
    place.expect(&run("bank_take_elsewise_failing"), 0)?;
    place.write("src/bank.pl", &BANK.replace("too_little", "too_much"))?;
    let failed = place.expect(&run("bank_take_elsewise"), 1)?;
    ensure!(failed.contains("too_much"), "{failed}");
    Ok(())
}

/// Choice points and failures where none are declared, answers with variables, all answers.
#[test]
fn plunit_runs_other_ends() -> Result<()> {
    let rules = "%! pick(+K:oneof([a, b, c]), -X) is det.\n\
                 pick(a, 1).\n\
                 pick(b, 2).\n\
                 pick(b, 3).\n\n\
                 %! pair(+K:oneof([a, b]), -P) is nondet.\n\
                 pair(a, X-X).\n\
                 pair(a, _-_).\n";
    let place = Place::new(&[("rules.pl", rules)])?;
    place.expect(
        "elsewise explore rules.pl::pick/2 --quiet --budget 100runs",
        2,
    )?;
    place.expect("elsewise export pick.elsewise --out test", 0)?;
    let failing = place.read("test/rules_pick_elsewise_failing.plt")?;
    for words in [
        ":- ensure_loaded('../rules.pl').",
        "    $(pick(b, ",
        "    pick(c, ",
    ] {
        ensure!(failing.contains(words), "no `{words}` in\n{failing}");
    }
    let run = |name: &str| format!("swipl -g run_tests -t halt test/{name}.plt");
    place.expect(&run("rules_pick_elsewise"), 0)?;
    let failed = place.expect(&run("rules_pick_elsewise_failing"), 1)?;
    ensure!(failed.contains("choice point"), "{failed}");

    let explore = "elsewise explore rules.pl::pair/2 --quiet --all-solutions --budget 100runs";
    place.expect(explore, 0)?;
    place.expect("elsewise export pair.elsewise --as plunit --out test", 0)?;
    let kept = place.read("test/rules_pair_elsewise.plt")?;
    ensure!(kept.contains("[all(") && kept.contains("=@="), "{kept}");
    place.expect(&run("rules_pair_elsewise"), 0)?;
    place.expect("elsewise export pair.elsewise --as tap --out test", 1)?;
    Ok(())
}

/// What is given on the command line wins over what the comment says.
#[test]
fn modes_can_be_given() -> Result<()> {
    let place = Place::new(&[(
        "app.pl",
        "app([], Ys, Ys).\napp([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).\n",
    )])?;
    let explore = "elsewise explore app.pl::app/3 --term-depth 3 --format json --quiet";
    let summary = place.json(&format!("{explore} --mode 'app(+list,+,-) is det'"), 0)?;
    ensure!(
        summary["complete"] == true && summary["paths"] == 4,
        "{summary:#}"
    );
    Ok(())
}

#[test]
fn what_cannot_be_explored_is_told() -> Result<()> {
    let place = Place::new(&[
        ("broken.pl", "p(a) :- \n  q(b.\n"),
        ("tabled.pl", ":- table p/1.\np(a).\n"),
        ("rules.pl", "p(a).\np(a, b).\nq(a).\n"),
    ])?;
    for (target, words) in [
        ("broken.pl::p/1", &["broken.pl", "2"][..]),
        ("tabled.pl::p/1", &["tabl"][..]),
        ("rules.pl::r/1", &["r/1", "p/1", "q/1"][..]),
        ("rules.pl::p/3", &["p/3", "p/2"][..]),
    ] {
        let text = place.expect(&format!("elsewise explore {target} --quiet"), 4)?;
        for word in words {
            ensure!(text.contains(word), "no `{word}` in\n{text}");
        }
    }
    place.expect("elsewise explore rules.pl::p/1 --quiet --mode 'p(+,+)'", 4)?;
    let text = place.expect("elsewise doctor", 0)?;
    ensure!(text.contains("swipl"), "{text}");
    Ok(())
}
