//! The cases of a predicate as tests of plunit.

use crate::error::PredicateError;
use crate::record::PrologRecord;
use elsewise_campaign::{Finding, Store};
use elsewise_export::{QueryEnd, QueryFinding, QuerySuite, QueryTest, Wanted, plunit};
use elsewise_frontend::calls::SavedCalls;
use elsewise_frontend::export::{self, cannot_write, relative};
use elsewise_frontend::{ExportRequest, Problem, campaigns, ends};
use elsewise_prolog::Project;
use elsewise_prolog::{End, Ends};
use std::fs;
use std::time::Instant;

pub fn export(
    saved: &SavedCalls<PrologRecord>,
    store: &Store,
    request: &ExportRequest,
) -> Result<(), Problem> {
    if request
        .framework
        .as_ref()
        .is_some_and(|named| named != "plunit")
    {
        return Err(PredicateError::OtherFramework.into());
    }
    let (module, predicate, tests) = tests(saved, store, Instant::now())?;
    let out = &request.folder;
    fs::create_dir_all(out).map_err(cannot_write(out))?;
    let folder = fs::canonicalize(out).map_err(cannot_write(out))?;
    let files = plunit(&QuerySuite {
        file: &relative(&saved.record.file, &folder).to_string_lossy(),
        module: (module != "user").then_some(&module),
        predicate: &predicate,
        inferences: saved.record.max_inferences,
        tests: &tests,
    });
    export::write(&files, out)
}

/// The module, the predicate, and its tests.
type Tests = (String, String, Vec<QueryTest>);

/// What is saved of them, or what runs show until then.
pub fn tests(
    saved: &SavedCalls<PrologRecord>,
    store: &Store,
    end: Instant,
) -> Result<Tests, Problem> {
    saved.observations().tests(|| make(saved, store, end))
}

/// The cases that reached something new and those of the findings, with what they do.
fn make(saved: &SavedCalls<PrologRecord>, store: &Store, end: Instant) -> Result<Tests, Problem> {
    let project = &saved.project()?.0;
    let mut tests = Vec::new();
    for (case, finding) in export::cases(saved, store)? {
        if Instant::now() > end && !tests.is_empty() {
            break;
        }
        let query = project.query(&case);
        let end = match ends(finding.as_ref()) {
            true => ended(project.ends(&case)?, saved.record.solutions > 1),
            false => QueryEnd::Unknown,
        };
        let finding = finding.filter(|finding| still(finding, &end));
        tests.push(QueryTest {
            goal: query.goal,
            title: project.call_text(&case),
            outputs: query.outputs,
            end,
            finding: finding.map(|finding| QueryFinding {
                wanted: wanted(&finding, project),
                text: campaigns::failure(&finding),
            }),
        });
    }
    let (module, predicate, _) = project.predicate();
    Ok((module.to_owned(), predicate.to_owned(), tests))
}

/// Does it still end so? What was repaired since is worth keeping.
fn still(finding: &Finding, end: &QueryEnd) -> bool {
    match finding.kind.as_str() {
        "failed" => matches!(end, QueryEnd::Fails),
        "succeeded" => !matches!(end, QueryEnd::Fails),
        "choice-point" => matches!(
            end,
            QueryEnd::Succeeds { nondet: true, .. } | QueryEnd::Answers { .. }
        ),
        _ => matches!(end, QueryEnd::Throws(_) | QueryEnd::Unknown),
    }
}

/// What the query does when it is repaired.
fn wanted(finding: &Finding, project: &Project) -> Wanted {
    match finding.kind.as_str() {
        "choice-point" => Wanted::SucceedOnce,
        "succeeded" => Wanted::Fail,
        _ if project.must_succeed() => Wanted::Succeed,
        _ => Wanted::End,
    }
}

fn ended(ends: Ends, all: bool) -> QueryEnd {
    let mut answers = Vec::new();
    for end in ends.ends {
        match end {
            End::True(values) => answers.push(values),
            // Behind the last answer.
            End::False if !answers.is_empty() => {
                return QueryEnd::Answers {
                    all: answers,
                    cut: false,
                };
            }
            End::False => return QueryEnd::Fails,
            End::Throws(ball) => return QueryEnd::Throws(ball),
            End::Limit => return QueryEnd::Unknown,
        }
    }
    match (all, answers.pop()) {
        (false, Some(values)) => QueryEnd::Succeeds {
            values,
            nondet: !ends.det,
        },
        (true, Some(last)) => {
            answers.push(last);
            QueryEnd::Answers {
                all: answers,
                cut: !ends.det,
            }
        }
        (_, None) => QueryEnd::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_become_what_tests_expect() {
        let value = |text: &str| Some(vec![text.to_string()]);
        let of = |ends: &[End], det: bool, all: bool| {
            let ends = ends.to_vec();
            ended(Ends { ends, det }, all)
        };
        let (one, two) = (End::True(value("1")), End::True(value("2")));
        assert_eq!(
            of(std::slice::from_ref(&one), false, false),
            QueryEnd::Succeeds {
                values: value("1"),
                nondet: true
            }
        );
        let answers = |cut| QueryEnd::Answers {
            all: vec![value("1"), value("2")],
            cut,
        };
        assert_eq!(
            of(&[one.clone(), two.clone(), End::False], true, true),
            answers(false)
        );
        assert_eq!(of(&[one.clone(), two.clone()], true, true), answers(false));
        assert_eq!(of(&[one.clone(), two], false, true), answers(true));
        assert_eq!(of(&[End::False], true, false), QueryEnd::Fails);
        assert_eq!(
            of(&[one, End::Throws("stop".into())], true, true),
            QueryEnd::Throws("stop".into())
        );
        assert_eq!(of(&[End::Limit], true, false), QueryEnd::Unknown);
    }
}
