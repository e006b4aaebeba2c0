//! One test for each subject with a bug, and one for its repaired twin, named by its folder: the bug is
//! found where it is and confirmed, and nothing is found in the twin. One for each program at a border: what
//! it says of itself holds. And one for each page of the book: what it tells people to type works.

use anyhow::{Result, ensure};
use elsewise_tests::subjects::{Language, Subject};
use elsewise_tests::{book, border_programs, subjects};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};

/// All tests of one kind of subject; too few of them, or one that cannot be read, is a failure.
struct Kind {
    name: &'static str,
    tests: Vec<Trial>,
}

impl Kind {
    fn new(name: &'static str) -> Kind {
        Kind {
            name,
            tests: Vec::new(),
        }
    }

    fn test(&mut self, what: String, check: impl FnOnce() -> Result<()> + Send + 'static) {
        let run = || check().map_err(|error| Failed::from(format!("{error:#}")));
        self.tests
            .push(Trial::test(format!("{}/{what}", self.name), run));
    }

    /// A bug and its twin, each with a test of its own.
    fn pair(&mut self, subject: Subject) {
        let name = format!("{}/{}", subject.group, subject.name);
        let twin = subject.clone();
        self.test(format!("{name}/bug"), move || {
            subjects::bug_is_found(&subject)
        });
        self.test(format!("{name}/twin"), move || {
            subjects::twin_is_clean(&twin)
        });
    }

    fn enough(&mut self, found: usize, least: usize) {
        self.test("enough".into(), move || {
            ensure!(found >= least, "{found} subjects, not {least}");
            Ok(())
        });
    }
}

/// Groups, and how many subjects each has at least.
const GROUPS: [(&str, usize); 11] = [
    ("charts", 14),
    ("erlang", 55),
    ("erlang_cuter", 9),
    ("erlang_processes", 20),
    ("functions", 60),
    ("inputs", 14),
    ("programs", 30),
    ("prolog", 50),
    ("threads", 70),
    ("threads_published", 10),
    ("threads_studies", 10),
];

/// What is to be run or listed. A runner asks for each test in a process of its own: the others need not be
/// read for that.
struct Wanted<'a>(&'a Arguments);

impl Wanted<'_> {
    /// Whether tests may be wanted whose names begin so.
    fn any(&self, begin: &str) -> bool {
        match &self.0.filter {
            Some(name) if self.0.exact => name.starts_with(begin),
            _ => true,
        }
    }
}

fn bugs_and_twins(wanted: &Wanted<'_>) -> Result<Kind> {
    let mut kind = Kind::new("subjects");
    let mut groups = BTreeMap::new();
    for group in subjects::groups()? {
        if wanted.any(&format!("subjects/{group}/")) {
            groups.insert(group.clone(), subjects::all(&group)?);
        }
    }
    let count = |group: &str| groups.get(group).map_or(0, Vec::len);
    for (group, least) in GROUPS {
        let found = count(group);
        kind.test(format!("{group}/enough"), move || {
            ensure!(found >= least, "{found} subjects, not {least}");
            Ok(())
        });
    }
    let all: Vec<Subject> = groups.into_values().flatten().collect();
    let elixir = all.iter().filter(|one| one.language == Language::Elixir);
    let elixir = elixir.count();
    kind.test("erlang/elixir".into(), move || {
        ensure!(elixir >= 6, "{elixir} subjects of Elixir");
        Ok(())
    });
    let prolog = all.iter().filter(|one| one.language == Language::Prolog);
    let kinds: BTreeSet<String> = prolog.map(|one| one.expect.kind.clone()).collect();
    kind.test("prolog/kinds".into(), move || {
        let wanted = [
            "assertion",
            "choice-point",
            "error",
            "failed",
            "hang",
            "throw",
        ];
        ensure!(kinds == wanted.map(String::from).into(), "{kinds:?}");
        Ok(())
    });
    for one in all.into_iter().filter(|one| !one.expect.elsewhere) {
        kind.pair(one);
    }
    Ok(kind)
}

fn programs_at_borders() -> Result<Kind> {
    let mut kind = Kind::new("border_programs");
    let mut all = border_programs::all()?;
    if std::env::var_os(border_programs::OPEN).is_none() {
        all.retain(|one| !one.open);
    }
    kind.enough(all.len(), 51);
    for one in all {
        let folder = if one.open { "open/" } else { "" };
        let name = format!("{folder}{}", one.name);
        kind.test(name, move || border_programs::holds(&one));
    }
    Ok(kind)
}

/// Says how many of them are explored.
const TEXTBOOK: &str = "ELSEWISE_TEXTBOOK";

fn textbook() -> Result<Kind> {
    let mut kind = Kind::new("textbook");
    let all = border_programs::textbook()?;
    let twins = all.iter().filter(|one| one.head.twin).count();
    let complete = all.iter().filter(|one| one.head.complete).count();
    let found = [all.len(), twins, complete];
    kind.test("enough".into(), move || {
        let least = [30, 20, 20];
        let enough = found
            .iter()
            .zip(least)
            .all(|(found, least)| *found >= least);
        ensure!(
            enough,
            "{found:?} programs, twins and complete ones, not {least:?}"
        );
        Ok(())
    });
    let count = std::env::var(TEXTBOOK).map_or(Ok(2), |text| text.parse())?;
    for one in all.into_iter().take(count) {
        kind.test(one.name.clone(), move || border_programs::holds(&one));
    }
    Ok(kind)
}

fn pages() -> Result<Kind> {
    let mut kind = Kind::new("book");
    let all = book::all()?;
    kind.enough(all.iter().map(book::Page::commands).sum(), 70);
    for page in all {
        kind.test(page.name.clone(), move || book::works(&page));
    }
    Ok(kind)
}

fn main() {
    let arguments = Arguments::from_args();
    let wanted = Wanted(&arguments);
    let kinds: [(&str, &dyn Fn() -> Result<Kind>); 4] = [
        ("subjects", &|| bugs_and_twins(&wanted)),
        ("border_programs", &programs_at_borders),
        ("textbook", &textbook),
        ("book", &pages),
    ];
    let mut tests = Vec::new();
    for (name, kind) in kinds {
        if !wanted.any(&format!("{name}/")) {
            continue;
        }
        match kind() {
            Ok(kind) => tests.extend(kind.tests),
            Err(error) => {
                let said = format!("{error:#}");
                let fails = || Err(Failed::from(said));
                tests.push(Trial::test(format!("{name}/read"), fails));
            }
        }
    }
    libtest_mimic::run(&arguments, tests).exit();
}
