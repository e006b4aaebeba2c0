//! What an exploration says of a program of the borders, judged by the truth.

use super::truth::Truth;
use std::fmt;

/// A finding, and what the plain build does with its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub kind: String,
    pub input: Vec<u8>,
    /// Does the plain program call `abort`?
    pub aborts: bool,
}

/// An exploration, as far as it is judged.
#[derive(Clone, Debug)]
pub struct Seen {
    pub exit_code: i32,
    pub complete: bool,
    pub claims: Vec<Claim>,
    /// How long it explored, building not counted.
    pub seconds: f64,
    pub approximations: Vec<String>,
}

/// How an exploration went that made no mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Found,
    /// Nothing fails, and that was said.
    Complete,
    /// It was said that not all was explored; for these reasons, or for none but time.
    GivenUp(Vec<String>),
}

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Explored completely, nothing found; but this input fails.
    FalseComplete(Vec<u8>),
    /// The plain program does not fail in this way.
    FalseFinding(Claim),
    /// An exit code that stands for no result.
    Ended(i32),
    /// Took so many seconds.
    Late(u64),
    /// No summary.
    Nothing(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Wrong::FalseComplete(input) => write!(f, "FALSE COMPLETE: {input:02x?} fails"),
            Wrong::FalseFinding(claim) => {
                write!(f, "FALSE FINDING: {} on {:02x?}", claim.kind, claim.input)
            }
            Wrong::Ended(code) => write!(f, "exit code {code}"),
            Wrong::Late(seconds) => write!(f, "took {seconds} seconds"),
            Wrong::Nothing(message) => write!(f, "no summary: {message}"),
        }
    }
}

/// Judges an exploration with a budget of so many seconds.
pub fn judge(truth: &Truth, seen: &Seen, budget: f64) -> Result<Verdict, Wrong> {
    // Nothing found, findings, the end of the budget, or nothing that depends on the input.
    if !matches!(seen.exit_code, 0 | 2 | 3 | 5) {
        return Err(Wrong::Ended(seen.exit_code));
    }
    let impossible = truth.exhaustive && truth.witness.is_none();
    let is_false = |claim: &&Claim| claim.kind != "abort" || !claim.aborts || impossible;
    if let Some(claim) = seen.claims.iter().find(is_false) {
        return Err(Wrong::FalseFinding(claim.clone()));
    }
    if seen.claims.is_empty()
        && seen.complete
        && let Some(witness) = &truth.witness
    {
        return Err(Wrong::FalseComplete(witness.clone()));
    }
    if seen.seconds > 3.0 * budget + 5.0 {
        return Err(Wrong::Late(seen.seconds as u64));
    }
    Ok(match (seen.claims.is_empty(), seen.complete) {
        (false, _) => Verdict::Found,
        (true, true) => Verdict::Complete,
        (true, false) => Verdict::GivenUp(seen.approximations.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(witness: Option<u8>, exhaustive: bool) -> Truth {
        Truth {
            target: 5,
            witness: witness.map(|byte| vec![byte]),
            exhaustive,
            values: 9,
        }
    }

    fn seen(complete: bool, aborts: &[bool]) -> Seen {
        let claims = aborts.iter().map(|&aborts| Claim {
            kind: "abort".to_owned(),
            input: vec![1],
            aborts,
        });
        Seen {
            exit_code: 0,
            complete,
            claims: claims.collect(),
            seconds: 1.0,
            approximations: vec!["opaque-call".to_owned()],
        }
    }

    #[test]
    fn results_that_are_right() {
        let judge = |truth: &Truth, seen: &Seen| judge(truth, seen, 5.0);
        let found = judge(&truth(Some(1), true), &seen(true, &[true]));
        assert_eq!(found, Ok(Verdict::Found));
        // Brute force need not have seen what was found.
        let found = judge(&truth(None, false), &seen(false, &[true]));
        assert_eq!(found, Ok(Verdict::Found));
        let complete = judge(&truth(None, true), &seen(true, &[]));
        assert_eq!(complete, Ok(Verdict::Complete));
        let given_up = judge(&truth(Some(1), true), &seen(false, &[]));
        let reasons = vec!["opaque-call".to_owned()];
        assert_eq!(given_up, Ok(Verdict::GivenUp(reasons)));
    }

    #[test]
    fn results_that_are_wrong() {
        let judge = |truth: &Truth, seen: &Seen| judge(truth, seen, 5.0);
        let complete = judge(&truth(Some(3), false), &seen(true, &[]));
        assert_eq!(complete, Err(Wrong::FalseComplete(vec![3])));
        let is_false = |result| matches!(result, Err(Wrong::FalseFinding(_)));
        assert!(is_false(judge(
            &truth(Some(3), false),
            &seen(true, &[false])
        )));
        assert!(is_false(judge(
            &truth(Some(3), true),
            &seen(true, &[true, false])
        )));
        assert!(is_false(judge(&truth(None, true), &seen(true, &[true]))));
        let mut crash = seen(false, &[true]);
        crash.claims[0].kind = "crash".to_owned();
        assert!(is_false(judge(&truth(Some(3), true), &crash)));
        for code in [1, 4, 70, 101] {
            let mut ended = seen(true, &[]);
            ended.exit_code = code;
            assert_eq!(judge(&truth(None, true), &ended), Err(Wrong::Ended(code)));
        }
        let mut late = seen(true, &[]);
        late.seconds = 21.0;
        assert_eq!(judge(&truth(None, true), &late), Err(Wrong::Late(21)));
    }
}
