//! What a campaign has saved of its subject, whatever kind it is: it knows what a case means to those who
//! wrote the subject, and can run one again.

use crate::campaigns;
use crate::observations::runs_nothing;
use crate::pictures::FindingPicture;
use crate::problem::Problem;
use crate::request::{ExploreRequest, ExportRequest};
use elsewise_campaign::{Finding, RunEnd, Store, Survey};
use elsewise_explore::{Case, Outcome, SideId};
use elsewise_export::regression::PlainRun;
use elsewise_graph::{Behaviour, Ending, Graph, StateChart};
use elsewise_report::SideNames;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// What verbs ask of a campaign's subject.
pub trait SavedSubject {
    /// The case of a finding.
    fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        campaigns::case_of(store, finding)
    }

    /// What a finding is shown with.
    fn picture(
        &self,
        finding: &Finding,
        case: Option<&Case>,
        survey: Option<&Survey>,
    ) -> FindingPicture {
        FindingPicture::new(finding, case, survey, &|number| self.mover(number))
    }

    /// The memory graph that a case gives to the subject, if it does.
    fn graph(&self, case: &Case) -> Option<Graph> {
        let _ = case;
        None
    }

    /// The call that a case is, where it can be written down.
    fn call_text(&self, case: &Case) -> Option<String> {
        let _ = case;
        None
    }

    /// Where tests usually are in its language, if its cases are calls, of which it can be said what
    /// they do, and which can become tests.
    fn tests_folder(&self) -> Option<&'static str> {
        None
    }

    /// Are its cases calls?
    fn has_calls(&self) -> bool {
        self.tests_folder().is_some()
    }

    /// What a case does that is a call; none if its assumptions do not hold.
    fn behaviour(
        &self,
        run: u64,
        case: &Case,
        finding: Option<&Finding>,
        reached: Vec<String>,
    ) -> Result<Option<Behaviour>, Problem> {
        let _ = (run, case, finding, reached);
        Ok(None)
    }

    /// Runs what has to be run so that a case can be shown without a run.
    fn observe(&self, case: &Case, finding: Option<&Finding>) -> Result<(), Problem> {
        let _ = (case, finding);
        Ok(())
    }

    /// Runs what has to be run so that tests can be written of its cases without a run, as far as there is time.
    fn observe_tests(&self, store: &Store, end: Instant) -> Result<(), Problem> {
        let _ = (store, end);
        Ok(())
    }

    /// Saves what these runs have shown.
    fn save_observations(&self) -> Result<(), Problem> {
        Ok(())
    }

    /// Writes its cases as tests.
    fn export(&self, store: &Store, request: &ExportRequest) -> Result<(), Problem>;

    /// How a case is run by a script that needs nothing of ours; none where that would not show the failure.
    fn plain_run(
        &self,
        explore: &ExploreRequest,
        finding: &Finding,
        case: &Case,
    ) -> Result<Option<PlainRun>, Problem> {
        let _ = (explore, finding, case);
        Ok(None)
    }

    /// Writes its cases as a test suite of Test-Comp: how many; none where its cases are nothing for that.
    fn test_suite(&self, store: &Store, folder: &Path) -> Result<Option<usize>, Problem> {
        let _ = (store, folder);
        Ok(None)
    }

    /// The machines of a model, with what the campaign has reached of them.
    fn drawings(&self, store: &Store, complete: bool) -> Result<Vec<StateChart>, Problem> {
        let _ = (store, complete);
        Ok(Vec::new())
    }

    /// What people call one that moves, by the number that a schedule has for it.
    fn mover(&self, number: u32) -> String {
        format!("thread {number}")
    }

    /// The command that looks at a finding's case more closely.
    fn debug_command(&self, finding: &Finding) -> String;

    /// Runs a case on what is not instrumented.
    fn rerun(&self, case: &Case) -> Result<Rerun, Problem>;

    /// Becomes a debugger on a case.
    fn debug(&self, with: Debugger, case: &Case) -> Result<Never, Problem>;

    /// Under which name cases have the input that a single file is.
    fn main_key(&self) -> Result<String, Problem>;

    /// The words of the `explore` that made the campaign.
    fn command(&self) -> &[String];
}

/// Does a case end? Nobody waits once more for one whose finding says that it does not.
pub fn ends(finding: Option<&Finding>) -> bool {
    const ENDLESS: [&str; 3] = ["hang", "memory", "deadlock"];
    finding.is_none_or(|finding| !ENDLESS.contains(&finding.kind.as_str()))
}

/// What comes of a case that is run again.
pub struct Rerun {
    pub outcome: Outcome,
    /// The call, where the case is one that can be written down.
    pub call: Option<String>,
    /// What it returned, where that is more than an exit code.
    pub returned: Option<String>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// What a case can be looked at with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debugger {
    Gdb,
    /// A shell of the subject's language.
    Shell,
}

/// What is never there, since another program has taken this one's place.
pub enum Never {}

/// What the cases do that are worth a line: the first, those that were the first to reach something,
/// and one for each finding; at most so many.
pub fn behaviours(
    saved: &dyn SavedSubject,
    store: &Store,
    most: usize,
) -> Result<Vec<Behaviour>, Problem> {
    let findings = store.findings()?;
    let sites = store.sites()?;
    let names = SideNames::new(&sites);
    let mut behaviours = Vec::new();
    for info in campaigns::runs(store) {
        let info = info?;
        if behaviours.len() >= most {
            break;
        }
        let finding = match info.outcome {
            RunEnd::Failure(id) => findings.iter().find(|finding| finding.id == id),
            _ => None,
        };
        let first = finding.is_some_and(|finding| finding.case == info.run);
        let new = info.new.iter().filter_map(|side| names.name(*side));
        let new: Vec<String> = new.collect();
        let told = info.run == 0 || !new.is_empty();
        let told = told && matches!(info.outcome, RunEnd::Exit(_));
        if told || first {
            let case = match finding {
                Some(finding) => saved.case_of(store, finding)?,
                None => store.case(info.run)?,
            };
            let behaviour = match saved.behaviour(info.run, &case, finding, new) {
                // Nobody has written down what comes of it.
                Err(_) if runs_nothing() => None,
                behaviour => behaviour?,
            };
            // What is no finding is not shown as a failure.
            let is_false =
                |ending: &Ending| finding.is_none() && matches!(ending, Ending::Failed(_));
            behaviours.extend(behaviour.filter(|behaviour| !is_false(&behaviour.ending)));
        }
    }
    Ok(behaviours)
}

/// Writes down what those see who look at the campaign later and run nothing: of the findings, and then of other cases,
/// of as many as there is time for.
pub fn observe_cases(
    saved: &dyn SavedSubject,
    store: &Store,
    most: usize,
    time: Duration,
) -> Result<(), Problem> {
    if !saved.has_calls() {
        return Ok(());
    }
    let end = Instant::now() + time;
    for finding in store.findings()? {
        if Instant::now() > end {
            break;
        }
        if let Ok(case) = saved.case_of(store, &finding) {
            // What cannot be told is not shown.
            let _ = saved.observe(&case, Some(&finding));
        }
    }
    let mut told = 0;
    for info in campaigns::runs(store) {
        let info = info?;
        if told == most || Instant::now() > end {
            break;
        }
        let new = info.run == 0 || !info.new.is_empty();
        if new && matches!(info.outcome, RunEnd::Exit(_)) {
            let case = store.case(info.run)?;
            let _ = saved.observe(&case, None);
            told += 1;
        }
    }
    saved.save_observations()
}

/// Writes down what tests are made from, so that they are exported without a run.
pub fn observe_tests(
    saved: &dyn SavedSubject,
    store: &Store,
    time: Duration,
) -> Result<(), Problem> {
    saved.observe_tests(store, Instant::now() + time)?;
    saved.save_observations()
}

/// Sides that no run of a campaign has reached.
pub fn missed(store: &Store) -> Result<Vec<String>, Problem> {
    let sites = store.sites()?;
    let names = SideNames::new(&sites);
    let mut missed: BTreeSet<SideId> = names.all().collect();
    for info in campaigns::runs(store) {
        for side in &info?.new {
            missed.remove(side);
        }
    }
    let missed = missed.into_iter();
    Ok(missed.filter_map(|side| names.name(side)).collect())
}
