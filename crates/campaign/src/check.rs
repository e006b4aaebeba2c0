//! Whether a run's conditions are those of the case it ran on.

use elsewise_explore::{Approximation, ApproximationKind, Choice, Step, Trace};
use elsewise_term::{Evaluator, Terms};

/// Cuts a trace at the first choice, from index `from` on, whose taken condition does not hold
/// under the run's own inputs: the front end described something else than what happened, and
/// nothing may be derived from there on. The cut is an approximation.
pub(crate) fn check(terms: &mut Terms, evaluator: &mut Evaluator, trace: &mut Trace, from: usize) {
    evaluator.restart();
    let present = &trace.present;
    let holds = |choice: &Choice| {
        if !Step::from(choice).is_sound() {
            return false;
        }
        let condition = choice.taken_condition(terms);
        evaluator.bool(terms, condition, present)
    };
    let unchecked = trace.choices.get(from..).unwrap_or_default();
    let holding = unchecked.iter().map(holds).take_while(|holds| *holds);
    let length = from + holding.count();
    if let Some(choice) = trace.choices.get(length) {
        trace.approximations.push(Approximation {
            kind: ApproximationKind::LabelMismatch,
            site: Some(choice.site),
        });
        trace.choices.truncate(length);
    }
}

/// Number of choices that two runs share, conditions included: those of the first have been
/// checked, so the second's need not be.
pub(crate) fn shared(checked: &[Choice], new: &[Choice]) -> usize {
    let pairs = checked.iter().zip(new);
    pairs.take_while(|(a, b)| a == b).count()
}
