//! Tests of plunit.

use crate::File;
use crate::calls::unique;
use crate::names::identifier;
use crate::queries::{Answer, QueryEnd, QuerySuite, QueryTest, Wanted};
use std::fmt::Write;

/// The file with the tests, and one with those that fail, where there are such.
pub fn plunit(suite: &QuerySuite) -> Vec<File> {
    let (failing, kept): (Vec<&QueryTest>, Vec<&QueryTest>) =
        suite.tests.iter().partition(|test| test.finding.is_some());
    let stem = suite.file.rsplit('/').next().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    let base = format!(
        "{}_{}_elsewise",
        identifier(stem).to_lowercase(),
        identifier(suite.predicate)
    );
    let mut files = Vec::new();
    for (tests, suffix) in [(kept, ""), (failing, "_failing")] {
        if !tests.is_empty() {
            let name = format!("{base}{suffix}");
            files.push(File {
                text: page(suite, &name, &tests, !suffix.is_empty()),
                name: format!("{name}.plt"),
            });
        }
    }
    files
}

fn page(suite: &QuerySuite, name: &str, tests: &[&QueryTest], failing: bool) -> String {
    let predicate = suite.predicate;
    let mut out = match failing {
        true => format!(
            "% Queries of {predicate} that Elsewise has seen fail: each fails until it is repaired. Where\n\
             % an error or a failure is meant, say so with throws(Ball), error(Formal) or fail.\n"
        ),
        false => format!(
            "% Queries of {predicate} that Elsewise has tried, one for each way that they took. What is\n\
             % expected is what the predicate did, not what it should do: read it before you keep it.\n"
        ),
    };
    out.push_str(":- use_module(library(plunit)).\n");
    let bodies: Vec<String> = tests.iter().map(|test| clause(suite, test)).collect();
    if bodies.iter().any(|body| body.contains(" limit(")) {
        out.push_str(":- use_module(library(solution_sequences)).\n");
    }
    let file = atom(suite.file);
    let _ = match suite.module {
        Some(_) => writeln!(out, ":- use_module({file}, [])."),
        None => writeln!(out, ":- ensure_loaded({file})."),
    };
    let _ = write!(out, "\n:- begin_tests({name}).\n");
    // A variable of an answer may be there once or twice.
    if tests.iter().any(|test| has_variables(test)) {
        out.push_str(":- style_check(-singleton).\n");
    }
    let titles = unique(tests.iter().map(|test| test.titled()));
    for (body, title) in bodies.iter().zip(titles) {
        let _ = write!(out, "\ntest({}{body}", atom(&title));
    }
    let _ = write!(out, "\n:- end_tests({name}).\n");
    out
}

/// What stands behind the test's name.
fn clause(suite: &QuerySuite, test: &QueryTest) -> String {
    let goal = &test.goal;
    if let Some(finding) = &test.finding {
        let body = match (&test.end, finding.wanted) {
            (QueryEnd::Unknown, _) => format!(
                "call_with_inference_limit(ignore({goal}), {}, Ended),\n    \
                 Ended \\== inference_limit_exceeded",
                suite.inferences
            ),
            (_, Wanted::Succeed) => goal.clone(),
            // plunit would only warn of a choice point.
            (_, Wanted::SucceedOnce) => format!("$({goal})"),
            (_, Wanted::End) => format!("ignore({goal})"),
            (_, Wanted::Fail) => format!("\\+ {goal}"),
        };
        return format!(") :-\n    {body}.\n");
    }
    match &test.end {
        QueryEnd::Fails => format!(", [fail]) :-\n    {goal}.\n"),
        QueryEnd::Throws(ball) => format!(", [throws({ball})]) :-\n    {goal}.\n"),
        QueryEnd::Unknown => format!(", [nondet]) :-\n    {goal}.\n"),
        QueryEnd::Succeeds { values, nondet } => {
            let mut options = Vec::new();
            options.extend(expected(test, values));
            options.extend(nondet.then(|| "nondet".to_string()));
            match options.is_empty() {
                true => format!(") :-\n    {goal}.\n"),
                false => format!(", [{}]) :-\n    {goal}.\n", options.join(", ")),
            }
        }
        QueryEnd::Answers { all, cut } => answers(test, all, *cut),
    }
}

/// The condition on the first answer, if there is anything to look at.
fn expected(test: &QueryTest, values: &Answer) -> Option<String> {
    let values = values.as_ref().filter(|values| !values.is_empty())?;
    let compare = comparison(values);
    let both = (test.outputs.as_slice(), values.as_slice());
    Some(match both {
        ([output], [value]) => format!("true({output} {compare} {value})"),
        (outputs, values) => format!(
            "true([{}] {compare} [{}])",
            outputs.join(", "),
            values.join(", ")
        ),
    })
}

fn answers(test: &QueryTest, all: &[Answer], cut: bool) -> String {
    let goal = match cut {
        true => format!("limit({}, {})", all.len(), test.goal),
        false => test.goal.clone(),
    };
    let Some(all) = all.iter().cloned().collect::<Option<Vec<Vec<String>>>>() else {
        return format!(", [nondet]) :-\n    {goal}.\n");
    };
    let compare = comparison(all.iter().flatten());
    let one = |values: &Vec<String>| match values.as_slice() {
        [value] => value.clone(),
        values => format!("[{}]", values.join(", ")),
    };
    let template = one(&test.outputs);
    let list: Vec<String> = all.iter().map(one).collect();
    format!(
        ", [all({template} {compare} [{}])]) :-\n    {goal}.\n",
        list.join(", ")
    )
}

/// Equal, or equal but for the names of variables.
fn comparison<'a>(values: impl IntoIterator<Item = &'a String>) -> &'static str {
    match values.into_iter().any(|value| variable(value)) {
        true => "=@=",
        false => "==",
    }
}

fn has_variables(test: &QueryTest) -> bool {
    let any = |answer: &Answer| answer.iter().flatten().any(|value| variable(value));
    let answers = match &test.end {
        _ if test.finding.is_some() => false,
        QueryEnd::Succeeds { values, .. } => any(values),
        QueryEnd::Answers { all, .. } => all.iter().any(any),
        QueryEnd::Throws(ball) => variable(ball),
        _ => false,
    };
    answers || variable(&test.goal)
}

/// Is there a variable in a term, other than in quotes?
fn variable(term: &str) -> bool {
    let mut quote = None;
    let mut before = ' ';
    let mut chars = term.chars();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), _) if open == char => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') if before != '0' => quote = Some(char),
            (None, _) if char == '_' || char.is_uppercase() => {
                if !(before.is_alphanumeric() || before == '_') {
                    return true;
                }
            }
            (None, _) => {}
        }
        before = char;
    }
    false
}

/// As an atom in quotes.
fn atom(text: &str) -> String {
    let mut out = String::from("'");
    for char in text.chars() {
        match char {
            '\'' | '\\' => out.extend(['\\', char]),
            char if char.is_control() => out.push(' '),
            char => out.push(char),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries::QueryFinding;

    fn test(arguments: &str, end: QueryEnd, finding: Option<(&str, Wanted)>) -> QueryTest {
        let outputs = arguments.split(", ").filter(|one| one.starts_with('X'));
        QueryTest {
            goal: format!("rules:route({arguments})"),
            title: format!("route({arguments})"),
            outputs: outputs.map(str::to_string).collect(),
            end,
            finding: finding.map(|(text, wanted)| QueryFinding {
                text: text.into(),
                wanted,
            }),
        }
    }

    fn answer(values: &[&str]) -> Answer {
        Some(values.iter().map(|value| value.to_string()).collect())
    }

    fn succeeds(values: &[&str], nondet: bool) -> QueryEnd {
        QueryEnd::Succeeds {
            values: answer(values),
            nondet,
        }
    }

    #[test]
    fn kept_and_failing() {
        let tests = [
            test("a, b, X3", succeeds(&["[a,b]"], false), None),
            test("a, X2, X3", succeeds(&["b", "f(_1,_1)"], true), None),
            test("'it\\'s', b", succeeds(&[], false), None),
            test(
                "c, X3",
                QueryEnd::Succeeds {
                    values: None,
                    nondet: false,
                },
                None,
            ),
            test("d, X3", QueryEnd::Fails, None),
            test("e, X3", QueryEnd::Throws("no_such_town(e)".into()), None),
            test(
                "f, X3",
                QueryEnd::Answers {
                    all: vec![answer(&["a"]), answer(&["\"X\""])],
                    cut: false,
                },
                None,
            ),
            test(
                "f, X2, X3",
                QueryEnd::Answers {
                    all: vec![answer(&["a", "b"])],
                    cut: true,
                },
                None,
            ),
            test(
                "0, X3",
                QueryEnd::Throws("error(type_error(evaluable,a/0),_)".into()),
                Some(("type_error at rules.pl:12", Wanted::End)),
            ),
            test(
                "1, X3",
                QueryEnd::Fails,
                Some(("failed at rules.pl:3", Wanted::Succeed)),
            ),
            test(
                "2, X3",
                succeeds(&["a"], true),
                Some(("choice-point at rules.pl:3", Wanted::SucceedOnce)),
            ),
            test(
                "3, X3",
                QueryEnd::Unknown,
                Some(("hang at rules.pl:4", Wanted::End)),
            ),
        ];
        let files = plunit(&QuerySuite {
            file: "../src/rules.pl",
            module: Some("rules"),
            predicate: "route",
            inferences: 1_000_000,
            tests: &tests,
        });
        let text: Vec<String> = files
            .iter()
            .map(|file| format!("--- {}\n{}", file.name, file.text))
            .collect();
        insta::assert_snapshot!("export_plunit", text.join("\n"));
    }

    #[test]
    fn variables_are_told_from_what_looks_like_one() {
        for (term, is) in [
            ("f(X)", true),
            ("[a|_1]", true),
            ("'X'", false),
            ("\"it's _\"", false),
            ("'it\\'s X'", false),
            ("some_name(a_B)", false),
            ("f('X',Y)", true),
            ("0'a", false),
        ] {
            assert_eq!(variable(term), is, "{term}");
        }
    }
}
