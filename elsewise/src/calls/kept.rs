//! What a campaign keeps of a subject whose cases are calls, as other verbs see it.

use crate::calls::{self, behaviour};
use crate::campaigns;
use crate::exit::Problem;
use crate::kept::{Debugger, Kept, Never, Rerun, ends};
use crate::pictures::Shown;
use crate::told::Told;
use elsewise_campaign::{Finding, Store, Survey};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_graph::{Behaviour, Derivation, Ending};
use elsewise_report::replay_command;
use std::time::Instant;

/// A subject whose campaign is looked at, and whose cases are calls.
pub trait KeptCalls {
    /// What is called.
    fn name(&self) -> &str;

    /// The arguments of a case in the subject's language.
    fn arguments(&self, case: &Case) -> Result<Vec<String>, Problem>;

    /// The call of a case in the subject's language.
    fn written(&self, case: &Case) -> Result<String, Problem>;

    /// What the call of a case gives.
    fn result(&self, case: &Case) -> Result<String, Problem>;

    /// What cases are run again on.
    fn subject(&self) -> Result<Box<dyn Subject>, Problem>;

    /// Becomes a shell of the language that has made the call.
    fn become_shell(&self, case: &Case) -> Result<Never, Problem>;

    /// What that shell is, in words.
    fn shell(&self) -> &'static str;

    /// What a schedule moves.
    fn mover(&self) -> &'static str;

    /// What called what, where the language has that.
    fn derivation(&self, case: &Case) -> Option<Derivation> {
        let _ = case;
        None
    }

    /// Makes the tests that its cases become.
    fn make_tests(&self, store: &Store, end: Instant) -> Result<(), Problem>;

    /// What was told of its cases.
    fn told(&self) -> &Told;

    /// The words of the `explore` that made the campaign.
    fn explored_by(&self) -> &[String];
}

/// What a case does, with what it returned if that is known.
fn call(
    kept: &impl KeptCalls,
    run: u64,
    case: &Case,
    returned: Option<String>,
    ending: Ending,
) -> Result<Behaviour, Problem> {
    let arguments = arguments(kept, case)?;
    Ok(behaviour(run, kept.name(), arguments, returned, ending))
}

fn arguments(kept: &impl KeptCalls, case: &Case) -> Result<Vec<String>, Problem> {
    kept.told().ask("arguments", case, || kept.arguments(case))
}

fn result(kept: &impl KeptCalls, case: &Case) -> Result<String, Problem> {
    kept.told().ask("result", case, || kept.result(case))
}

fn derivation(kept: &impl KeptCalls, case: &Case) -> Option<Derivation> {
    let told = kept.told();
    let derivation = told.ask("derivation", case, || Ok(kept.derivation(case)));
    derivation.ok().flatten()
}

impl<T: KeptCalls> Kept for T {
    fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        campaigns::case_of(store, finding, false)
    }

    fn shown(&self, finding: &Finding, case: Option<&Case>, survey: Option<&Survey>) -> Shown {
        let ending = Ending::Failed(finding.kind.clone());
        let call = case.and_then(|case| call(self, finding.case, case, None, ending).ok());
        let mover = |number| Kept::mover(self, number);
        // A list of findings has no room for it.
        let looked_at = case.filter(|_| survey.is_some());
        let derivation = looked_at.and_then(|case| derivation(self, case));
        Shown::new(None, finding, case, survey, &mover)
            .with_call(call)
            .with_derivation(derivation)
    }

    fn call_text(&self, case: &Case) -> Option<String> {
        let told = self.told();
        told.ask("written", case, || self.written(case)).ok()
    }

    fn tell(&self, case: &Case, finding: Option<&Finding>) -> Result<(), Problem> {
        arguments(self, case)?;
        self.call_text(case);
        match finding {
            Some(_) if ends(finding) => {
                derivation(self, case);
            }
            Some(_) => {}
            None => {
                result(self, case)?;
            }
        }
        Ok(())
    }

    fn tell_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        self.make_tests(store, end)
    }

    fn keep_told(&self) -> Result<(), Problem> {
        self.told().keep()
    }

    fn tests_folder(&self) -> Option<&'static str> {
        Some("test")
    }

    fn behaviour(
        &self,
        run: u64,
        case: &Case,
        finding: Option<&Finding>,
        reached: Vec<String>,
    ) -> Result<Option<Behaviour>, Problem> {
        let (ending, returned) = match finding {
            Some(finding) => (Ending::Failed(campaigns::failure(finding)), None),
            None => (Ending::Returned, Some(result(self, case)?)),
        };
        let mut behaviour = call(self, run, case, returned, ending)?;
        behaviour.reached = reached;
        Ok(Some(behaviour))
    }

    fn mover(&self, number: u32) -> String {
        format!("{} {number}", KeptCalls::mover(self))
    }

    fn debug_command(&self, finding: &Finding) -> String {
        replay_command(&finding.path.to_string_lossy(), "--shell")
    }

    fn rerun(&self, case: &Case) -> Result<Rerun, Problem> {
        let outcome = self.subject()?.confirm(case).map_err(Problem::subject)?;
        let returned = match outcome {
            Outcome::Exit(_) => Some(self.result(case)?),
            _ => None,
        };
        Ok(Rerun {
            outcome,
            call: self.call_text(case),
            returned,
            stdout: Vec::new(),
            stderr: Vec::new(),
        })
    }

    fn debug(&self, with: Debugger, case: &Case) -> Result<Never, Problem> {
        match with {
            Debugger::Shell => self.become_shell(case),
            Debugger::Gdb => Err(Problem::usage(format!(
                "gdb is for C: `elsewise replay --shell` starts {}",
                self.shell()
            ))),
        }
    }

    fn main_key(&self) -> Result<String, Problem> {
        Ok(calls::ARGUMENTS.into())
    }

    fn command(&self) -> Result<Vec<String>, Problem> {
        Ok(self.explored_by().to_vec())
    }
}
