//! The cases of a function of Erlang or Elixir as tests of EUnit or ExUnit.

use crate::error::FunctionError;
use crate::record::ErlangRecord;
use crate::{observe, shell};
use elsewise_campaign::{Finding, Store};
use elsewise_export::{CallEnd, CallSuite, CallTest, eunit, exunit};
use elsewise_frontend::calls::SavedCalls;
use elsewise_frontend::{ExportRequest, Problem, campaigns, ends, export};
use std::time::Instant;

/// What a program raises itself may be what it is meant to do: such are kept as they are.
const RAISED: [&str; 3] = ["error", "exit", "throw"];
/// What is returned is not what the specification says.
const SPEC: &str = "spec";

pub fn export(
    saved: &SavedCalls<ErlangRecord>,
    store: &Store,
    request: &ExportRequest,
) -> Result<(), Problem> {
    let record = &saved.record;
    let usual = match record.is_elixir() {
        true => "exunit",
        false => "eunit",
    };
    let framework = request.framework.as_deref().unwrap_or(usual);
    if framework != usual {
        let is_elixir = record.is_elixir();
        return Err(FunctionError::OtherFramework { is_elixir }.into());
    }
    let tests = tests(saved, store, Instant::now())?;
    let suite = CallSuite {
        module: &record.module(),
        function: &record.function,
        tests: &tests,
    };
    let files = match record.is_elixir() {
        true => exunit(&suite),
        false => eunit(&suite),
    };
    export::write(&files, &request.folder)
}

/// What is saved of them, or what runs show until then.
pub fn tests(
    saved: &SavedCalls<ErlangRecord>,
    store: &Store,
    end: Instant,
) -> Result<Vec<CallTest>, Problem> {
    saved.observations().tests(|| make(saved, store, end))
}

/// The cases that reached something new and those of the findings, with what they do.
fn make(
    saved: &SavedCalls<ErlangRecord>,
    store: &Store,
    end: Instant,
) -> Result<Vec<CallTest>, Problem> {
    let mut tests = Vec::new();
    let mut kinds = Vec::new();
    let mut asked = Vec::new();
    for (case, finding) in export::cases(saved, store)? {
        let arguments = saved.arguments(&case)?;
        // What only a certain order of messages brings about, a test cannot bring about.
        if !case.schedule.is_empty() {
            continue;
        }
        let call = shell::call(&saved.record, &arguments);
        if ends(finding.as_ref()) {
            asked.push(call.clone());
        }
        let meant = |finding: &Finding| RAISED.contains(&finding.kind.as_str());
        kinds.push(finding.as_ref().map(|finding| finding.kind.clone()));
        tests.push(CallTest {
            title: format!("{}({})", saved.record.function, arguments.join(", ")),
            call,
            end: CallEnd::Unknown,
            finding: finding
                .as_ref()
                .filter(|f| !meant(f))
                .map(campaigns::failure),
        });
    }
    let mut ends = observe::observe(saved, &asked, end)?.into_iter();
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
