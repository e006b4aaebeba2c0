//! A case as a goal, and what comes of it on the program as it is: for those who write it down elsewhere.

use crate::project::Project;
use crate::term::Term;
use crate::text;
use crate::types::Determinism;
use elsewise_explore::{Case, RunError};

/// A goal whose unbound arguments are variables with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// With its module, unless it is in `user`.
    pub goal: String,
    /// The variables in it, each once.
    pub outputs: Vec<String>,
}

/// How a query ends, answer by answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    pub ends: Vec<End>,
    /// The last answer has left no choice point.
    pub det: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// What the outputs are; none where that cannot be written down, as a stream.
    True(Option<Vec<String>>),
    False,
    /// With a pattern of what is thrown.
    Throws(String),
    Limit,
}

impl Project {
    pub fn query(&self, case: &Case) -> Query {
        let (module, ..) = self.predicate();
        let call = self.call_text(case);
        Query {
            goal: match module {
                "user" => call,
                module => format!("{}:{call}", text::atom(module)),
            },
            outputs: variables(&self.values(case))
                .iter()
                .map(text::show)
                .collect(),
        }
    }

    /// Makes the query of a case.
    pub fn ends(&self, case: &Case) -> Result<Ends, RunError> {
        let before = self.values(case);
        let outputs = variables(&before);
        let plain = self.inner.plain(&before)?;
        let end = |end: &Term| match end.parts() {
            Some(("true", [after])) => {
                let after = after.elements().unwrap_or_default();
                let values = outputs.iter().map(|output| {
                    let mut pairs = before.iter().zip(&after);
                    let value =
                        pairs.find_map(|(before, after)| value_of(output, before, after))?;
                    spelled(value)
                });
                End::True(values.collect())
            }
            Some(("exception", [ball, _])) => End::Throws(pattern(ball)),
            Some(("limit", _)) => End::Limit,
            _ => End::False,
        };
        Ok(Ends {
            ends: plain.ends.iter().map(end).collect(),
            det: plain.det,
        })
    }

    /// Is it declared to succeed?
    pub fn must_succeed(&self) -> bool {
        matches!(
            self.inner.determinism,
            Determinism::Det | Determinism::Multi
        )
    }
}

/// The variables of terms, each once, in the order of their first place.
fn variables(terms: &[Term]) -> Vec<Term> {
    fn collect(term: &Term, found: &mut Vec<Term>) {
        match term {
            Term::Var(_) if !found.contains(term) => found.push(term.clone()),
            Term::Compound(_) => {
                let args = term.parts().map_or(&[][..], |(_, args)| args);
                args.iter().for_each(|arg| collect(arg, found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    terms.iter().for_each(|term| collect(term, &mut found));
    found
}

/// What a variable of a term has become in the same term afterwards.
fn value_of<'a>(variable: &Term, before: &Term, after: &'a Term) -> Option<&'a Term> {
    if before == variable {
        return Some(after);
    }
    let ((name, before), (other, after)) = (before.parts()?, after.parts()?);
    let mut pairs = before.iter().zip(after);
    match name == other {
        true => pairs.find_map(|(before, after)| value_of(variable, before, after)),
        false => None,
    }
}

/// Without operators where there are variables, whose names then are none of the query's.
fn spelled(value: &Term) -> Option<String> {
    match (has_blob(value), value.is_ground()) {
        (true, _) => None,
        (_, true) => Some(text::show(value)),
        (_, false) => Some(text::plain(value)),
    }
}

/// The context of an error is not part of what is expected, nor is what cannot be written down.
fn pattern(ball: &Term) -> String {
    if let Some([formal, _]) = ball.args_of("error") {
        return format!(
            "error({}, _)",
            spelled(formal).unwrap_or_else(|| "_".into())
        );
    }
    spelled(ball).unwrap_or_else(|| "_".into())
}

fn has_blob(term: &Term) -> bool {
    match term {
        Term::Blob(_) => true,
        _ => term
            .parts()
            .is_some_and(|(_, args)| args.iter().any(has_blob)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Term {
        text::parse(text).expect("a term")
    }

    #[test]
    fn values_are_found_where_the_variables_were() {
        let before = read("f(a,X,g(Y,X))");
        let after = read("f(a,1,g([2|Z],1))");
        let all = variables(std::slice::from_ref(&before));
        assert_eq!(all.len(), 2);
        let values: Vec<Option<String>> = all
            .iter()
            .map(|variable| value_of(variable, &before, &after).and_then(spelled))
            .collect();
        assert_eq!(values, [Some("1".to_string()), Some("[2|_0]".to_string())]);
    }

    #[test]
    fn balls_are_patterns() {
        for (ball, expected) in [
            (
                "error(type_error(evaluable,/(a,0)),context(_1,_2))",
                "error(type_error(evaluable, a/0), _)",
            ),
            (
                "error(existence_error(stream,'$blob'('<stream>')),_1)",
                "error(_, _)",
            ),
            ("stop(now)", "stop(now)"),
        ] {
            assert_eq!(pattern(&read(ball)), expected);
        }
    }
}
