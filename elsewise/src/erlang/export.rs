//! The cases of a function of Erlang or Elixir as tests of EUnit or ExUnit.

use crate::args::{ExportArgs, TestFramework};
use crate::calls::KeptCalls;
use crate::erlang::kept::KeptCall;
use crate::erlang::{observe, shell};
use crate::exit::{Exit, Problem};
use crate::kept::ends;
use crate::{calls, campaigns};
use elsewise_campaign::{Finding, Store};
use elsewise_report::export::{CallEnd, CallSuite, CallTest, eunit, exunit};
use std::time::Instant;

/// What a program raises itself may be what it is meant to do: such are kept as they are.
const RAISED: [&str; 3] = ["error", "exit", "throw"];
/// What is returned is not what the specification says.
const SPEC: &str = "spec";

pub fn export(kept: &KeptCall, store: &Store, args: &ExportArgs) -> Result<Exit, Problem> {
    let usual = match kept.is_elixir() {
        true => TestFramework::Exunit,
        false => TestFramework::Eunit,
    };
    let framework = args.framework.unwrap_or(usual);
    if framework != usual {
        return Err(Problem::usage(match kept.is_elixir() {
            true => {
                "the campaign is of a function of Elixir: its tests are run by ExUnit, --as exunit"
            }
            false => {
                "the campaign is of a function of Erlang: its tests are run by EUnit, --as eunit"
            }
        }));
    }
    let tests = tests(kept, || make(kept, store, Instant::now()))?;
    let suite = CallSuite {
        module: &kept.module(),
        function: kept.function(),
        tests: &tests,
    };
    let files = match framework {
        TestFramework::Exunit => exunit(&suite),
        _ => eunit(&suite),
    };
    calls::write(&files, &args.out)?;
    Ok(Exit::Clean)
}

/// What is kept of them, or what `make` gives.
pub fn tests(
    kept: &KeptCall,
    make: impl FnOnce() -> Result<Vec<CallTest>, Problem>,
) -> Result<Vec<CallTest>, Problem> {
    kept.told().tests(make)
}

/// The cases that reached something new and those of the findings, with what they do.
pub fn make(kept: &KeptCall, store: &Store, end: Instant) -> Result<Vec<CallTest>, Problem> {
    let mut tests = Vec::new();
    let mut kinds = Vec::new();
    let mut asked = Vec::new();
    for (case, finding) in calls::cases(kept, store)? {
        let arguments = kept.arguments(&case)?;
        // What only a certain order of messages brings about, a test cannot bring about.
        if !case.schedule.is_empty() {
            continue;
        }
        let call = shell::call(kept, &arguments);
        if ends(finding.as_ref()) {
            asked.push(call.clone());
        }
        let meant = |finding: &Finding| RAISED.contains(&finding.kind.as_str());
        kinds.push(finding.as_ref().map(|finding| finding.kind.clone()));
        tests.push(CallTest {
            title: format!("{}({})", kept.function(), arguments.join(", ")),
            call,
            end: CallEnd::Unknown,
            finding: finding
                .as_ref()
                .filter(|f| !meant(f))
                .map(campaigns::failure),
        });
    }
    let mut ends = observe::observe(kept, &asked, end)?.into_iter();
    let mut made = asked.iter().peekable();
    for (test, kind) in tests.iter_mut().zip(kinds) {
        if made.next_if(|call| **call == test.call).is_some() {
            test.end = ends.next().unwrap_or(CallEnd::Unknown);
        }
        // Repaired since: what it returns now is worth keeping, unless that was what is wrong.
        if matches!(test.end, CallEnd::Returns(_)) && kind.as_deref() != Some(SPEC) {
            test.finding = None;
        }
    }
    Ok(tests)
}
