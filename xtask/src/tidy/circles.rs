//! Files of a crate do not use each other in circles: whoever reads one need not have read all.
//!
//! A circle is a set of modules of which each uses each other, directly or by way of others. What a module
//! and its submodules use of each other does not count, since they are one thing in several files. Names
//! are followed through re-exports to the module that has them. Tests at the end of a file do not count.
//!
//! The text is read as it is, without a parser: `use`, and paths that begin with `crate` or `super`.

use crate::repository::Repository;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// A module as the names on the way to it; the root of a crate has none.
type Module = Vec<String>;

pub fn check(repository: &Repository) -> Result<Vec<String>> {
    let circles = circles(repository)?.into_iter();
    let problems = circles.map(|circle| {
        format!(
            "{}: {} use each other in a circle ({}); put what two of them need below both",
            circle.folder,
            circle.modules.join(", "),
            circle.uses.join(", ")
        )
    });
    Ok(problems.collect())
}

struct Circle {
    /// Of its crate.
    folder: String,
    /// In order; each with `/` between its names.
    modules: Vec<String>,
    /// Who uses whom.
    uses: Vec<String>,
}

/// The circles of all crates.
fn circles(repository: &Repository) -> Result<Vec<Circle>> {
    let mut all = Vec::new();
    for file in repository.files() {
        let Some(folder) = file.strip_suffix("/Cargo.toml") else {
            continue;
        };
        let sources = format!("{folder}/src/");
        let mut texts = BTreeMap::new();
        for file in repository.files() {
            let name = file.strip_prefix(&sources);
            if let Some(name) = name.and_then(|name| name.strip_suffix(".rs")) {
                texts.insert(module(name), code(&repository.read(file)?));
            }
        }
        let uses = Crate::new(&texts).uses();
        for modules in mutual(&uses) {
            let mut among = Vec::new();
            for module in &modules {
                let used = uses[module].intersection(&modules);
                among.extend(used.map(|used| format!("{} → {}", shown(module), shown(used))));
            }
            all.push(Circle {
                folder: folder.to_owned(),
                modules: modules.iter().map(|module| shown(module)).collect(),
                uses: among,
            });
        }
    }
    Ok(all)
}

/// The module that is in the file of this name.
fn module(name: &str) -> Module {
    let mut names: Module = name.split('/').map(str::to_owned).collect();
    names.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
    names
}

fn shown(module: &[String]) -> String {
    module.join("/")
}

/// A file without its comments and its tests.
fn code(text: &str) -> String {
    let lines = text.lines();
    let lines = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let code = lines.collect::<Vec<_>>().join("\n");
    match code.split_once("#[cfg(test)]\nmod tests") {
        Some((before, _)) => before.to_owned(),
        None => code,
    }
}

struct Crate<'a> {
    texts: &'a BTreeMap<Module, String>,
    /// What modules re-export by name, with the path as it is written.
    named: BTreeMap<(Module, String), Module>,
    /// And what they re-export all of.
    globs: BTreeMap<Module, Vec<Module>>,
}

impl Crate<'_> {
    fn new(texts: &BTreeMap<Module, String>) -> Crate<'_> {
        let mut named = BTreeMap::new();
        let mut globs: BTreeMap<Module, Vec<Module>> = BTreeMap::new();
        for (module, text) in texts {
            for (path, is_public) in imports(text) {
                let Some((last, before)) = path.split_last().filter(|_| is_public) else {
                    continue;
                };
                match last.as_str() {
                    "*" => globs
                        .entry(module.clone())
                        .or_default()
                        .push(before.to_vec()),
                    _ => {
                        named.insert((module.clone(), last.clone()), path);
                    }
                }
            }
        }
        Crate {
            texts,
            named,
            globs,
        }
    }

    /// Who uses whom, but for a module and those below it.
    fn uses(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let mut all = BTreeMap::new();
        for (module, text) in self.texts {
            let imported = imports(text).into_iter().map(|(path, _)| path);
            let imported =
                imported.filter(|path| matches!(path[0].as_str(), "crate" | "super" | "self"));
            let mut used = BTreeSet::new();
            for path in imported.chain(paths(text)) {
                let path = self.absolute(module, &path);
                used.extend(path.and_then(|path| self.home(&path, MOST_EXPORTS)));
            }
            used.retain(|other| !other.starts_with(module) && !module.starts_with(other));
            all.insert(module.clone(), used);
        }
        all
    }

    /// A path from the root of the crate; none if it leads to another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Module> {
        let up = path.iter().take_while(|name| *name == "super").count();
        let (base, rest) = match path[0].as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (module, &path[1..]),
            _ if up > 0 => (&module[..module.len().saturating_sub(up)], &path[up..]),
            _ => (module, path),
        };
        let whole: Module = base.iter().chain(rest).cloned().collect();
        let is_ours = up > 0
            || matches!(path[0].as_str(), "crate" | "self")
            || self.texts.contains_key(&whole[..=base.len()]);
        is_ours.then_some(whole)
    }

    /// The module that has what a path leads to.
    fn home(&self, path: &[String], exports: u32) -> Option<Module> {
        let known = (0..=path.len()).rev();
        let length = known
            .into_iter()
            .find(|length| self.texts.contains_key(&path[..*length]))?;
        let (here, rest) = path.split_at(length);
        let (Some(name), Some(exports)) = (rest.first(), exports.checked_sub(1)) else {
            return Some(here.to_vec());
        };
        if let Some(export) = self.named.get(&(here.to_vec(), name.clone()))
            && let Some(path) = self.absolute(here, export)
        {
            return self.home(&path, exports);
        }
        for glob in self.globs.get(here).into_iter().flatten() {
            let Some(mut path) = self.absolute(here, glob) else {
                continue;
            };
            if self
                .texts
                .get(&path)
                .is_some_and(|text| defines(text, name))
            {
                path.push(name.clone());
                return self.home(&path, exports);
            }
        }
        Some(here.to_vec())
    }
}

/// Re-exports that a name is followed through; one that leads to itself would have no end.
const MOST_EXPORTS: u32 = 6;

/// Whether a file has an item of this name.
fn defines(text: &str, name: &str) -> bool {
    let kinds = [
        "struct", "enum", "fn", "const", "static", "type", "trait", "union",
    ];
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].strip_suffix(' ');
        let after = text[at + name.len()..].chars().next();
        before.is_some_and(|before| kinds.iter().any(|kind| before.ends_with(kind)))
            && !after.is_some_and(is_of_name)
    })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What is imported, and whether others can have it from there.
fn imports(text: &str) -> Vec<(Module, bool)> {
    let mut all = Vec::new();
    for (at, word) in text.match_indices("use ") {
        let before = text[..at].rsplit('\n').next().unwrap_or_default().trim();
        let is_public = before == "pub" || before.starts_with("pub(") && before.ends_with(')');
        let Some((tree, _)) = text[at + word.len()..].split_once(';') else {
            continue;
        };
        if before.is_empty() || is_public {
            all.extend(expand(tree).into_iter().map(|path| (path, is_public)));
        }
    }
    all
}

/// The paths of `a::{b, c::{d, e}}`.
fn expand(tree: &str) -> Vec<Module> {
    let tree = tree.trim();
    let Some((before, group)) = tree.split_once('{') else {
        let path = tree.split_once(" as ").map_or(tree, |(path, _)| path);
        return vec![
            path.split("::")
                .map(|name| name.trim().to_owned())
                .collect(),
        ];
    };
    let before = before
        .split("::")
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let before: Module = before.map(str::to_owned).collect();
    let group = group.strip_suffix('}').unwrap_or(group);
    let mut depth = 0;
    let parts = group.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    let paths = parts.flat_map(expand);
    paths.map(|path| [before.clone(), path].concat()).collect()
}

/// Paths in the code itself that begin with `crate` or `super`.
fn paths(text: &str) -> Vec<Module> {
    let mut all = Vec::new();
    for first in ["crate", "super"] {
        for (at, _) in text.match_indices(first) {
            let before = text[..at].chars().next_back();
            let continues = before.is_some_and(|c| is_of_name(c) || c == ':');
            let end = text[at..].find(|c| !is_of_name(c) && c != ':');
            let path = &text[at..end.map_or(text.len(), |end| at + end)];
            let names = path
                .split("::")
                .take_while(|name| !name.is_empty() && !name.contains(':'));
            let path: Module = names.map(str::to_owned).collect();
            if !continues && path.len() > 1 && path[0] == first {
                all.push(path);
            }
        }
    }
    all
}

/// Sets of modules that reach each other.
fn mutual(uses: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<BTreeSet<Module>> {
    let mut reached = BTreeMap::new();
    for module in uses.keys() {
        let mut seen = BTreeSet::new();
        let mut open = vec![module];
        while let Some(next) = open.pop() {
            open.extend(
                uses[next]
                    .iter()
                    .filter(|used| seen.insert((*used).clone())),
            );
        }
        reached.insert(module, seen);
    }
    let circle = |module: &Module| {
        let mut circle = reached[module].clone();
        circle.retain(|other| reached[other].contains(module));
        circle
    };
    let circles = uses.keys().map(circle);
    circles.filter(|circle| circle.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let mut all = vec![("x/Cargo.toml", ""), ("x/src/lib.rs", "mod a; mod b;")];
        all.retain(|(name, _)| !files.iter().any(|(other, _)| other == name));
        all.extend(files);
        let circles = circles(&Repository::of(folder.path(), &all)).unwrap();
        circles
            .iter()
            .map(|circle| circle.modules.join(" "))
            .collect()
    }

    #[test]
    fn two_that_use_each_other_are_a_circle() {
        let a = ("x/src/a.rs", "use crate::b::B;\npub struct A;");
        assert_eq!(found(&[a, ("x/src/b.rs", "use super::a::A;")]), ["a b"]);
        assert_eq!(
            found(&[a, ("x/src/b.rs", "fn f(a: crate::a::A) {}")]),
            ["a b"]
        );
        assert_eq!(
            found(&[a, ("x/src/b.rs", "use crate::{c, a::{A, other}};")]),
            ["a b"]
        );
        assert!(found(&[a, ("x/src/b.rs", "pub struct B;")]).is_empty());
    }

    #[test]
    fn a_circle_may_lead_through_others() {
        let files = [
            ("x/src/a.rs", "use crate::b::B;"),
            ("x/src/b.rs", "use crate::c::C;"),
            ("x/src/c/mod.rs", "use crate::a::A;"),
            ("x/src/d.rs", "use crate::a::A;"),
        ];
        assert_eq!(found(&files), ["a b c"]);
    }

    #[test]
    fn names_are_followed_through_exports() {
        let files = |root| {
            [
                ("x/src/lib.rs", root),
                ("x/src/a.rs", "use crate::B;\npub struct A;\n"),
                ("x/src/b.rs", "use crate::A;\npub struct B;\n"),
            ]
        };
        assert_eq!(
            found(&files("pub use a::A;\npub(crate) use b::{B, C};")),
            ["a b"]
        );
        assert_eq!(found(&files("pub use a::*;\npub use b::*;")), ["a b"]);
        assert!(found(&files("pub use a::A;")).is_empty());
    }

    #[test]
    fn a_module_and_its_parts_are_one() {
        let files = [
            ("x/src/a.rs", "mod part;\nuse part::Part;\npub struct A;"),
            ("x/src/a/part.rs", "use super::A;\npub struct Part;"),
        ];
        assert!(found(&files).is_empty());
        let parts = [
            ("x/src/a/one.rs", "use super::two::Two;"),
            ("x/src/a/two.rs", "use super::one::One;"),
        ];
        assert_eq!(found(&parts), ["a/one a/two"]);
    }

    #[test]
    fn comments_and_tests_use_nothing() {
        let a = ("x/src/a.rs", "use crate::b::B;");
        assert!(found(&[a, ("x/src/b.rs", "/// See [`crate::a`].")]).is_empty());
        let tests = "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}";
        assert!(found(&[a, ("x/src/b.rs", tests)]).is_empty());
    }
}
