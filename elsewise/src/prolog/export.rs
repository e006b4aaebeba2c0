//! The cases of a predicate as tests of plunit.

use crate::args::{ExportArgs, TestFramework};
use crate::calls::KeptCalls;
use crate::exit::{Exit, Problem};
use crate::export::{cannot_write, relative};
use crate::kept::ends;
use crate::prolog::kept::KeptPredicate;
use crate::{calls, campaigns};
use elsewise_campaign::{Finding, Store};
use elsewise_prolog::{End, Ends, Project};
use elsewise_report::export::{QueryEnd, QueryFinding, QuerySuite, QueryTest, Wanted, plunit};
use std::fs;
use std::time::Instant;

pub fn export(kept: &KeptPredicate, store: &Store, args: &ExportArgs) -> Result<Exit, Problem> {
    if args
        .framework
        .is_some_and(|named| named != TestFramework::Plunit)
    {
        return Err(Problem::usage(
            "the campaign is of a predicate of Prolog: its tests are run by plunit, --as plunit",
        ));
    }
    let (module, predicate, tests) = tests(kept, || make(kept, store, Instant::now()))?;
    fs::create_dir_all(&args.out).map_err(|error| cannot_write(&args.out, &error))?;
    let folder = fs::canonicalize(&args.out).map_err(|error| cannot_write(&args.out, &error))?;
    let files = plunit(&QuerySuite {
        file: &relative(kept.file(), &folder).to_string_lossy(),
        module: (module != "user").then_some(&module),
        predicate: &predicate,
        inferences: kept.max_inferences(),
        tests: &tests,
    });
    calls::write(&files, &args.out)?;
    Ok(Exit::Clean)
}

/// The module, the predicate, and its tests.
type Tests = (String, String, Vec<QueryTest>);

/// What is kept of them, or what `make` gives.
pub fn tests(
    kept: &KeptPredicate,
    make: impl FnOnce() -> Result<Tests, Problem>,
) -> Result<Tests, Problem> {
    kept.told().tests(make)
}

/// The cases that reached something new and those of the findings, with what they do.
pub fn make(kept: &KeptPredicate, store: &Store, end: Instant) -> Result<Tests, Problem> {
    let project = kept.project()?;
    let mut tests = Vec::new();
    for (case, finding) in calls::cases(kept, store)? {
        if Instant::now() > end && !tests.is_empty() {
            break;
        }
        let query = project.query(&case);
        let end = match ends(finding.as_ref()) {
            true => ended(
                project.ends(&case).map_err(Problem::subject)?,
                kept.all_solutions(),
            ),
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
