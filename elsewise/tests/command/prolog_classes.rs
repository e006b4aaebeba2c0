//! Soundness and completeness (Theorem 2 of the paper): every class of calls within the bounds has
//! exactly one case, and every case is of the class that was predicted for it. The classes are found
//! by brute force on the plain program (`tests/prolog/paper/classes.pl`).

use elsewise_campaign::{Options as Campaign, Store, Summary, explore};
use elsewise_explore::{Random, Subject};
use elsewise_prolog::{Options, Project};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

fn options(file: &Path, predicate: &str, depth: u32) -> Options {
    Options {
        file: file.to_path_buf(),
        predicate: predicate.into(),
        depth,
        ..Options::default()
    }
}

/// Explores all of a predicate; the arguments of its cases.
fn cases(folder: &Path, options: &Options) -> (Summary, Vec<Vec<String>>) {
    let project = Project::open(options).unwrap_or_else(|error| panic!("{error}"));
    let subject = project.subject().expect("it starts");
    let campaign = Campaign {
        dir: folder.join("campaign"),
        fresh: true,
        ..Campaign::default()
    };
    let subjects = vec![Box::new(subject) as Box<dyn Subject>];
    let summary = explore(&campaign, subjects, &mut |_| {}, &AtomicBool::new(false))
        .expect("it can be explored");
    let store = Store::open_read(&campaign.dir).expect("there is a campaign");
    let cases = (0..summary.runs)
        .map(|run| {
            let case = store.case(run).expect("every run has a case");
            project.arguments(&case)
        })
        .collect();
    (summary, cases)
}

/// What the signature of a test is.
struct Domain {
    depth: u32,
    constants: String,
    functors: String,
    integers: String,
}

fn agrees(
    folder: &Path,
    program: &Path,
    entry: &str,
    domain: &Domain,
    cases: &[Vec<String>],
) -> String {
    let mut text = format!(
        "entry({entry}, {}, [{}], [{}], [{}]).\n",
        domain.depth, domain.constants, domain.functors, domain.integers
    );
    for case in cases {
        let _ = writeln!(text, "case([{}]).", case.join(", "));
    }
    let told = folder.join("cases.pl");
    std::fs::write(&told, text).expect("a temporary folder can be written to");
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/prolog/paper/classes.pl");
    let output = Command::new("swipl")
        .arg(&truth)
        .arg("--")
        .arg(program)
        .arg(&told)
        .output()
        .expect("swipl is installed");
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    format!("{words}{errors}")
}

/// The four constants that a program does not mention.
fn constants(mentioned: &str) -> String {
    let fresh = ('a'..='z').filter(|letter| !mentioned.contains(*letter));
    let letters: Vec<String> = mentioned
        .chars()
        .chain(fresh.take(4))
        .map(String::from)
        .collect();
    letters.join(", ")
}

/// Does a call unify a variable with a term that it is in?
fn is_cyclic(program: &Path, predicate: &str, case: &[String]) -> bool {
    let call = format!("{predicate}({})", case.join(", "));
    let goal = format!(
        "set_prolog_flag(occurs_check, error), \
         catch(ignore({call}), error(occurs_check(_, _), _), halt(7)), halt"
    );
    let status = Command::new("swipl")
        .args(["-g", &goal])
        .arg(program)
        .stdin(std::process::Stdio::null())
        .status();
    status.expect("swipl is installed").code() == Some(7)
}

fn check(name: &str, text: &str, entry: &str, domain: &Domain) -> u64 {
    let folder = tempfile::tempdir().expect("there are temporary folders");
    let file = folder.path().join(format!("{name}.pl"));
    std::fs::write(&file, text).expect("a temporary folder can be written to");
    let (predicate, _) = entry.split_once('/').expect("an indicator");
    let (summary, cases) = cases(folder.path(), &options(&file, predicate, domain.depth));
    // No answer over finite terms is right for a program that makes a term which is part of itself.
    if !summary.complete && cases.iter().any(|case| is_cyclic(&file, predicate, case)) {
        return summary.runs;
    }
    assert!(
        summary.complete,
        "{name}: {:?} {:?}\n{text}",
        summary.ended, summary.approximations
    );
    let told = agrees(folder.path(), &file, entry, domain, &cases);
    assert!(
        told.starts_with("equal "),
        "{name}: {told}\n{text}\n{cases:#?}"
    );
    summary.runs
}

#[test]
fn example_1_has_its_four_classes() {
    let text = "p(f(a)).\np(f(X)) :- q(X).\nq(b).\n";
    let domain = Domain {
        depth: 2,
        constants: constants("ab"),
        functors: "f/1".into(),
        integers: "0".into(),
    };
    assert_eq!(check("example1", text, "p/1", &domain), 4);
}

/// The concolic execution of Example 3 begins with p(s(a)), whose trace is r2, r3; the other classes of
/// calls are r1, no rule, and r2 without r3.
#[test]
fn example_3_has_its_classes() {
    let text = "p(X) :- X = a.\np(s(Y)) :- q(Y).\nq(W) :- W = a.\n";
    let domain = Domain {
        depth: 2,
        constants: constants("a"),
        functors: "s/1".into(),
        integers: "0".into(),
    };
    assert_eq!(check("example3", text, "p/1", &domain), 4);
}

/// alts(I, C, {H2}, {H1, H2}) of Example 4 has the case of H1 alone, that of none, and not that of both.
#[test]
fn example_4_has_its_alternatives() {
    let text = "p(W) :- q(W).\nq(X) :- X = a.\nq(s(_)).\n";
    let domain = Domain {
        depth: 1,
        constants: constants("a"),
        functors: "s/1".into(),
        integers: "0".into(),
    };
    assert_eq!(check("example4", text, "p/1", &domain), 3);
}

/// Example 5 over the naturals: H1 is part of H3, so that the sets with W =< 10 are {1,3}, {3}, {2} and
/// none of them; and W may be larger.
#[test]
fn example_5_has_its_alternatives() {
    let text = ":- use_module(library(clpfd)).\n\
         %! p(+W:nonneg).\n\
         p(W) :- W #=< 10, q(W).\n\
         q(Y) :- Y #=< 2.\n\
         q(Z) :- 8 #=< Z, Z #=< 10.\n\
         q(T) :- T #< 5.\n";
    let domain = Domain {
        depth: 1,
        constants: String::new(),
        functors: String::new(),
        integers: "0,1,2,3,4,5,6,7,8,9,10,11,12".into(),
    };
    assert_eq!(check("example5", text, "p/1", &domain), 5);
}

struct Programs {
    random: Random,
    vars: Vec<String>,
    text: String,
}

impl Programs {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn var(&mut self) -> String {
        let fresh = self.vars.is_empty() || self.below(3) > 0;
        if fresh {
            let name = format!("V{}", self.vars.len());
            self.vars.push(name.clone());
            return name;
        }
        let at = self.below(self.vars.len());
        self.vars[at].clone()
    }

    fn known_var(&mut self) -> Option<String> {
        if self.vars.is_empty() {
            return None;
        }
        let at = self.below(self.vars.len());
        Some(self.vars[at].clone())
    }

    fn term(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => "a".into(),
            1 => "b".into(),
            2..5 => self.var(),
            5 | 6 => format!("f({})", self.term(depth - 1)),
            _ => format!("g({}, {})", self.term(depth - 1), self.term(depth - 1)),
        }
    }

    /// Predicates call those after them, so that every call ends.
    fn of_terms(&mut self, arities: &[usize]) {
        for (level, arity) in arities.iter().enumerate() {
            for _ in 0..1 + self.below(3) {
                self.vars.clear();
                let args: Vec<String> = (0..*arity).map(|_| self.term(2)).collect();
                let mut body = Vec::new();
                if self.below(4) == 0
                    && let Some(var) = self.known_var()
                {
                    body.push(format!("{var} = {}", self.term(1)));
                }
                for (callee, arity) in arities.iter().enumerate().skip(level + 1) {
                    if self.below(2) == 0 {
                        let args: Vec<String> = (0..*arity)
                            .map(|_| match self.known_var() {
                                Some(var) if self.below(4) > 0 => var,
                                _ => self.term(1),
                            })
                            .collect();
                        body.push(format!("p{callee}({})", args.join(", ")));
                    }
                }
                self.clause(&format!("p{level}({})", args.join(", ")), &body);
            }
        }
    }

    fn clause(&mut self, head: &str, body: &[String]) {
        let _ = match body.is_empty() {
            true => writeln!(self.text, "{head}."),
            false => writeln!(self.text, "{head} :- {}.", body.join(", ")),
        };
    }

    fn constraint(&mut self) -> String {
        let op = ["#=", "#\\=", "#<", "#>", "#=<", "#>="][self.below(6)];
        let side = |it: &mut Self| match (it.known_var(), it.below(3)) {
            (Some(var), 0) => var,
            (Some(var), 1) => format!("{var} + {}", it.below(4)),
            _ => it.below(9).to_string(),
        };
        let (a, b) = (side(self), side(self));
        format!("{a} {op} {b}")
    }

    fn of_numbers(&mut self, arities: &[usize]) {
        self.text.push_str(":- use_module(library(clpfd)).\n");
        let modes: Vec<String> = (0..arities[0])
            .map(|at| format!("+A{at}:between(0, 7)"))
            .collect();
        let _ = writeln!(self.text, "%! p0({}).", modes.join(", "));
        for (level, arity) in arities.iter().enumerate() {
            for _ in 0..1 + self.below(3) {
                self.vars = (0..*arity).map(|at| format!("X{at}")).collect();
                let args: Vec<String> = (0..*arity)
                    .map(|at| match self.below(6) {
                        0 => self.below(8).to_string(),
                        _ => format!("X{at}"),
                    })
                    .collect();
                self.vars.retain(|var| args.contains(var));
                let mut body: Vec<String> = (0..self.below(3)).map(|_| self.constraint()).collect();
                for (callee, arity) in arities.iter().enumerate().skip(level + 1) {
                    if self.below(2) == 0 {
                        let args: Vec<String> = (0..*arity)
                            .map(|_| match self.known_var() {
                                Some(var) => var,
                                None => self.below(8).to_string(),
                            })
                            .collect();
                        body.push(format!("p{callee}({})", args.join(", ")));
                    }
                }
                self.clause(&format!("p{level}({})", args.join(", ")), &body);
            }
        }
    }
}

/// As many as the machine for tests has time for; more with `ELSEWISE_RANDOM_PROLOG=N`.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let wanted = std::env::var("ELSEWISE_RANDOM_PROLOG").ok();
    let from = std::env::var("ELSEWISE_RANDOM_FROM").ok();
    let from = from.and_then(|text| text.parse().ok()).unwrap_or(1);
    from..from + wanted.and_then(|text| text.parse().ok()).unwrap_or(few)
}

fn programs(seed: u64) -> Programs {
    Programs {
        random: Random::new(seed),
        vars: Vec::new(),
        text: String::new(),
    }
}

#[test]
fn classes_of_random_programs_over_terms() {
    for seed in seeds(6) {
        let mut programs = programs(seed);
        let arities = [[1, 1, 2], [2, 1, 1]][seed as usize % 2];
        programs.of_terms(&arities);
        let domain = Domain {
            // Deeper terms take long to try one after the other.
            depth: if arities[0] == 1 && seed % 3 == 0 {
                2
            } else {
                1
            },
            constants: constants("ab"),
            functors: "f/1, g/2".into(),
            integers: "0".into(),
        };
        // What the program does not mention is not in its signature.
        let mentions = |name: &str| programs.text.contains(name);
        let functors: Vec<&str> = [("f(", "f/1"), ("g(", "g/2")]
            .iter()
            .filter(|(name, _)| mentions(name))
            .map(|(_, indicator)| *indicator)
            .collect();
        let domain = Domain {
            functors: functors.join(", "),
            ..domain
        };
        let entry = format!("p0/{}", arities[0]);
        check(&format!("terms{seed}"), &programs.text, &entry, &domain);
    }
}

#[test]
fn classes_of_random_programs_over_numbers() {
    for seed in seeds(4) {
        let mut programs = programs(seed);
        let arities = [[1, 1, 2], [2, 2, 1]][seed as usize % 2];
        programs.of_numbers(&arities);
        let domain = Domain {
            depth: 1,
            constants: String::new(),
            functors: String::new(),
            integers: "0, 1, 2, 3, 4, 5, 6, 7".into(),
        };
        let entry = format!("p0/{}", arities[0]);
        check(&format!("numbers{seed}"), &programs.text, &entry, &domain);
    }
}
