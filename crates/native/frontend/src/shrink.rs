//! The shortest sequence that fails: steps are left out and arguments made simpler as long as the
//! failure stays the same.

use crate::saved_function::SavedFunction;
use elsewise_campaign::{Finding, RunEnd, Store, Summary};
use elsewise_explore::{Case, Location, Outcome, Subject};
use elsewise_frontend::{Problem, campaigns, notices};
use elsewise_functions::Steps;
use elsewise_term::Terms;
use std::time::{Duration, Instant};

/// Cases that are tried for one finding, and how long: a hang takes its time each time.
const TRIES: u32 = 400;
const LIMIT: Duration = Duration::from_secs(20);
/// Runs that failed in the same way that are compared.
const RUNS: usize = 1000;
/// Steps of which every choice is tried.
const ALL: usize = 8;

/// Makes the case of each finding of a sequence's campaign as short as it gets, and puts it in the
/// finding's folder.
pub fn shrink(summary: &Summary, subject: &mut dyn Subject) -> Result<(), Problem> {
    let Some(function) = SavedFunction::of(&summary.campaign)?.filter(SavedFunction::is_sequence)
    else {
        return Ok(());
    };
    let store = Store::open_read(&summary.campaign)?;
    for finding in &summary.findings {
        let case = shortest_run(&store, &function, finding)?;
        let Some(steps) = Steps::read(&function.plan, &case) else {
            continue;
        };
        let mut tried = Tried {
            function: &function,
            subject,
            finding,
            base: case,
            tries: 0,
            end: Instant::now() + LIMIT,
        };
        let steps = simpler(fewer(steps, &mut tried), &mut tried);
        let case = steps.write(&function.plan, &tried.base);
        if let Err(error) = campaigns::put_case(&finding.path, &case) {
            notices::warning(&format!(
                "cannot write the shortest sequence of finding {} to {}: {error}",
                finding.id,
                finding.path.display()
            ));
        }
    }
    Ok(())
}

/// The case with the fewest steps among the runs that ended with this finding.
fn shortest_run(
    store: &Store,
    function: &SavedFunction,
    finding: &Finding,
) -> Result<Case, Problem> {
    let count = |case: &Case| Steps::read(&function.plan, case).map_or(0, |steps| steps.count());
    let mut best = store.case(finding.case)?;
    let mut looked = 0;
    for info in campaigns::runs(store) {
        let info = info?;
        if looked == RUNS {
            break;
        }
        if matches!(info.outcome, RunEnd::Failure(id) if id == finding.id) {
            looked += 1;
            let case = store.case(info.run)?;
            if count(&case) < count(&best) {
                best = case;
            }
        }
    }
    Ok(best)
}

/// The fewest of these steps with which it fails: all choices of them from the smallest on where
/// there are few, otherwise one step less at a time.
fn fewer(mut steps: Steps, tried: &mut Tried) -> Steps {
    let count = steps.count();
    if count <= ALL {
        let mut choices: Vec<u32> = (0..1 << (count - 1)).collect();
        choices.sort_by_key(|choice| choice.count_ones());
        for choice in choices {
            let keep = |index: usize| choice >> (index - 1) & 1 == 1;
            if let Some(fewer) = steps.only(&keep)
                && fewer.count() < count
                && tried.fails(&fewer)
            {
                return fewer;
            }
        }
        return steps;
    }
    let mut index = steps.count();
    while index > 1 {
        index -= 1;
        if let Some(fewer) = steps.only(&|at| at != index)
            && tried.fails(&fewer)
        {
            steps = fewer;
            index = steps.count();
        }
    }
    match steps.count() <= ALL {
        true => fewer(steps, tried),
        false => steps,
    }
}

/// With simpler arguments, as long as there are such.
fn simpler(mut steps: Steps, tried: &mut Tried) -> Steps {
    loop {
        let next = steps.simpler().into_iter().find(|next| tried.fails(next));
        match next {
            Some(next) => steps = next,
            None => return steps,
        }
    }
}

struct Tried<'a> {
    function: &'a SavedFunction,
    subject: &'a mut dyn Subject,
    finding: &'a Finding,
    /// What steps are put into.
    base: Case,
    tries: u32,
    end: Instant,
}

impl Tried<'_> {
    /// Do these steps fail in the same way: at the same place, and on the uninstrumented build too?
    fn fails(&mut self, steps: &Steps) -> bool {
        if self.tries >= TRIES || Instant::now() >= self.end {
            return false;
        }
        self.tries += 1;
        let case = steps.write(&self.function.plan, &self.base);
        let finding = self.finding;
        let Ok(trace) = self.subject.run(&case, &mut Terms::new()) else {
            return false;
        };
        let same = match &trace.outcome {
            Outcome::Failure { kind, place, .. } => {
                let at = Location::of_stack(place).map(|at| (at.file.as_str(), at.line));
                kind.word() == finding.kind
                    && at.unwrap_or(("", 0)) == (&finding.file, finding.line)
            }
            _ => false,
        };
        same && matches!(
            self.subject.confirm(&case),
            Ok(Outcome::Failure { kind, .. }) if kind.word() == finding.kind
        )
    }
}
