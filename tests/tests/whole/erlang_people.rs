//! What people of Erlang and Elixir have of it: tests that their frameworks run, a plugin of rebar3, a
//! task of mix, and every verb on a campaign of theirs.

use anyhow::{Result, ensure};
use elsewise_report::machine::FORMATS;
use elsewise_tests::compile::root;
use elsewise_tests::place::Place;
use std::fs;
use std::path::Path;

/// A function with a term of its own, and a failure at one amount of money.
const BANK: &str = r#"-module(bank).
-export([take/2]).

-spec take(integer(), integer()) -> {ok, integer()} | {error, atom()}.
take(_, Amount) when Amount < 0 ->
    throw({negative, Amount});
take(Balance, Amount) when Amount > Balance ->
    {error, too_little};
take(Balance, Amount) ->
    {ok, Balance - Amount + 100 div (Amount - 13)}.
"#;

const BANK_EX: &str = r#"defmodule Bank do
  @spec take(integer, integer) :: {:ok, integer} | {:error, atom}
  def take(_, amount) when amount < 0, do: throw({:negative, amount})
  def take(balance, amount) when amount > balance, do: {:error, :too_little}
  def take(balance, amount), do: {:ok, balance - amount + div(100, amount - 13)}
end
"#;

#[test]
fn every_verb_knows_a_function_of_erlang() -> Result<()> {
    let place = Place::new(&[("src/bank.erl", BANK)])?;
    let explore = "elsewise explore src/bank.erl::take/2 --quiet --budget 240s --timeout 10000";
    let summary = place.json(&format!("{explore} --format json"), 2)?;
    ensure!(
        place.kinds(&summary["findings"]) == ["badarith", "throw"],
        "{summary:#}"
    );
    let text = place.expect(explore, 2)?;
    for words in ["take(", "badarith", "src/bank.erl:10", "elsewise replay"] {
        ensure!(text.contains(words), "no `{words}` in\n{text}");
    }
    // The table: a call, what it returned, and the clause that it was the first to reach.
    ensure!(text.contains("{error, too_little}"), "{text}");
    ensure!(text.contains("clause 2"), "{text}");

    let id = place.finding("badarith")?;
    let shown = place.expect(&format!("elsewise show {id}"), 0)?;
    ensure!(shown.contains(", 13)"), "no call of 13:\n{shown}");
    ensure!(
        shown.contains("100 div (Amount - 13)"),
        "no source:\n{shown}"
    );

    let replayed = place.expect(&format!("elsewise replay {id}"), 2)?;
    ensure!(replayed.contains("badarith"), "{replayed}");
    let replayed = place.json("elsewise replay run:0 --format json", 0)?;
    ensure!(replayed["fails"] == false, "{replayed:#}");
    ensure!(replayed["outcome"]["kind"] == "returned", "{replayed:#}");
    place.expect(&format!("elsewise replay {id} --gdb"), 1)?;

    place.expect("elsewise status", 0)?;
    let forms = FORMATS.iter().map(|format| format.flag);
    for form in forms.chain(["dot"]) {
        let text = place.expect(&format!("elsewise report --{form}"), 0)?;
        ensure!(!text.is_empty(), "nothing in --{form}");
    }
    place.expect("elsewise report --html -o page.html", 0)?;
    let page = place.read("page.html")?;
    ensure!(page.contains("{error, too_little}") && page.contains("clause 2"));

    place.expect("elsewise check", 0)?;
    place.write("src/bank.erl", &BANK.replace("too_little", "not_enough"))?;
    place.expect("elsewise check", 0)?;
    place.write(
        "src/bank.erl",
        &BANK.replace("{error, too_little}", "1 / 0"),
    )?;
    let changed = place.expect("elsewise check", 2)?;
    ensure!(changed.contains("badarith"), "{changed}");
    Ok(())
}

#[test]
fn eunit_runs_what_is_exported() -> Result<()> {
    let place = Place::new(&[("src/bank.erl", BANK)])?;
    place.expect(
        "elsewise explore src/bank.erl::take/2 --quiet --budget 240s --timeout 10000",
        2,
    )?;
    place.expect("elsewise export --out test", 0)?;
    let kept = place.read("test/bank_take_elsewise_tests.erl")?;
    for words in [
        "?_assertEqual({error,too_little}, bank:take(",
        "?_assertThrow({negative,-",
    ] {
        ensure!(kept.contains(words), "no `{words}` in\n{kept}");
    }
    let failing = place.read("test/bank_take_elsewise_failing_tests.erl")?;
    ensure!(failing.contains(", 13))"), "{failing}");
    let compile = "mkdir -p ebin && erlc -o ebin src/*.erl test/*.erl";
    place.expect(compile, 0)?;
    let run = |name: &str| {
        format!(
            "erl -noshell -pa ebin -eval 'case eunit:test({name}, [verbose]) of ok -> halt(0); \
             _ -> halt(1) end.'"
        )
    };
    let passed = place.expect(&run("bank_take_elsewise_tests"), 0)?;
    ensure!(passed.contains("tests passed"), "{passed}");
    let failed = place.expect(&run("bank_take_elsewise_failing_tests"), 1)?;
    ensure!(failed.contains("badarith"), "{failed}");
    // Repaired, the failing test passes; changed, a kept one fails.
    let repaired = BANK.replace("100 div (Amount - 13)", "100 div (abs(Amount) + 1)");
    place.write("src/bank.erl", &repaired)?;
    place.expect(compile, 0)?;
    place.expect(&run("bank_take_elsewise_failing_tests"), 0)?;
    place.write("src/bank.erl", &BANK.replace("too_little", "too_much"))?;
    place.expect(compile, 0)?;
    let failed = place.expect(&run("bank_take_elsewise_tests"), 1)?;
    ensure!(failed.contains("too_much"), "{failed}");
    Ok(())
}

#[test]
fn exunit_runs_what_is_exported() -> Result<()> {
    let place = Place::new(&[("lib/bank.ex", BANK_EX)])?;
    let text = place.expect(
        "elsewise explore lib/bank.ex::Bank.take/2 --quiet --budget 240s --timeout 10000",
        2,
    )?;
    ensure!(text.contains("{:error, :too_little}"), "{text}");
    place.expect("elsewise export --out test", 0)?;
    let kept = place.read("test/bank_take_elsewise_test.exs")?;
    for words in ["=== {:error, :too_little}", "= catch_throw(Bank.take("] {
        ensure!(kept.contains(words), "no `{words}` in\n{kept}");
    }
    let run = |name: &str| format!("elixir -e 'ExUnit.start()' -r lib/bank.ex -r test/{name}");
    let passed = place.expect(&run("bank_take_elsewise_test.exs"), 0)?;
    ensure!(passed.contains(" 0 failures"), "{passed}");
    let failed = place.expect(&run("bank_take_elsewise_failing_test.exs"), 2)?;
    ensure!(failed.contains("ArithmeticError"), "{failed}");
    let repaired = BANK_EX.replace("amount - 13)", "abs(amount) + 1)");
    place.write("lib/bank.ex", &repaired)?;
    place.expect(&run("bank_take_elsewise_failing_test.exs"), 0)?;
    Ok(())
}

/// A project whose module needs a header file, a macro of the project, and another module of it.
#[test]
fn rebar3_explores_a_function_of_a_project() -> Result<()> {
    let bank = "-module(bank).\n-export([take/2]).\n-include(\"bank.hrl\").\n\n\
                -spec take(integer(), integer()) -> integer().\n\
                take(Balance, Amount) ->\n    \
                #account{balance = Rest} = #account{balance = Balance},\n    \
                Rest div (fee:on(Amount) - ?LIMIT).\n";
    let place = Place::new(&[
        (
            "rebar.config",
            "{erl_opts, [debug_info, {d, 'LIMIT', 113}]}.\n{plugins, [rebar3_elsewise]}.\n",
        ),
        (
            "src/bank.app.src",
            "{application, bank, [{description, \"\"}, {vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n",
        ),
        ("include/bank.hrl", "-record(account, {balance = 0}).\n"),
        ("src/bank.erl", bank),
        (
            "src/fee.erl",
            "-module(fee).\n-export([on/1]).\non(Amount) -> Amount + 100.\n",
        ),
    ])?;
    fs::create_dir(place.path().join("_checkouts"))?;
    copy(
        &root().join("integrations/rebar3_elsewise"),
        &place.path().join("_checkouts/rebar3_elsewise"),
    )?;
    let text = place.expect(
        "rebar3 elsewise bank:take/2 -- --quiet --budget 240s --timeout 10000",
        2,
    )?;
    ensure!(text.contains("badarith"), "{text}");
    let text = place.expect("rebar3 elsewise bank/take", 1)?;
    ensure!(text.contains("MODULE:FUNCTION/ARITY"), "{text}");
    let text = place.expect("rebar3 elsewise nobody:take/2", 1)?;
    ensure!(text.contains("has a module nobody"), "{text}");
    Ok(())
}

#[test]
fn mix_explores_a_function_of_a_project() -> Result<()> {
    let task = root().join("integrations/mix_elsewise");
    let place = Place::new(&[("lib/bank.ex", BANK_EX)])?;
    copy(&task, &place.path().join("mix_elsewise"))?;
    place.write(
        "mix.exs",
        "defmodule Bank.MixProject do\n  use Mix.Project\n\n  def project do\n    \
         [app: :bank, version: \"0.1.0\", \
         deps: [{:mix_elsewise, path: \"mix_elsewise\", runtime: false}]]\n  end\nend\n",
    )?;
    let text = place.expect(
        "mix elsewise Bank.take/2 --quiet --budget 240s --timeout 10000",
        2,
    )?;
    ensure!(text.contains("badarith"), "{text}");
    let text = place.expect("mix elsewise bank", 1)?;
    ensure!(text.contains("MODULE.FUNCTION/ARITY"), "{text}");
    let text = place.expect("mix elsewise Nobody.take/2", 1)?;
    ensure!(text.contains("no module Nobody"), "{text}");
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => {
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}
