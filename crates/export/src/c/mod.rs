//! Behaviours of a C function as tests.
//!
//! A behaviour becomes a `test::Test`, whose statements are the same for all frameworks; the framework
//! gives it its words.

mod build;
mod context;
mod effects;
mod fill;
mod lvalue;
mod makers;
mod names;
mod observe;
mod plan;
mod render;
mod select;
mod spell;
mod storage;
mod stubs;
mod style;
mod test;
mod title;

use crate::File;
use crate::names::identifier;
use context::Context;
use elsewise_graph::{Behaviour, Value};
use names::Names;
use render::{Page, page};
pub use select::covering;
use std::collections::BTreeSet;

/// Who runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// The Test Anything Protocol, with nothing but the C library.
    Tap,
    Cmocka,
    Check,
    Criterion,
    /// GoogleTest, which is C++.
    Gtest,
}

/// What tests are written for.
#[derive(Clone, Copy, Debug)]
pub struct Suite<'a> {
    /// The function under test, or what its tests are called after.
    pub function: &'a str,
    /// Lines such as `#include "../src/list.h"`; `#include "../src/list.c"` for a static function.
    pub includes: &'a [String],
    /// The function's declaration, where no header has it.
    pub prototype: Option<&'a str>,
    /// C files to compile with, as seen from the tests' folder.
    pub sources: &'a [String],
    /// The compiler's flags.
    pub flags: &'a [String],
    /// Flags without which failing cases do not fail, such as `-fsanitize=address`.
    pub failing_flags: &'a [String],
    /// Names that the includes define: functions, globals, types, macros.
    pub taken: &'a [String],
    pub behaviours: &'a [Behaviour],
}

impl Framework {
    pub const ALL: [Framework; 5] = [
        Framework::Tap,
        Framework::Cmocka,
        Framework::Check,
        Framework::Criterion,
        Framework::Gtest,
    ];

    /// As the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Framework::Tap => "tap",
            Framework::Cmocka => "cmocka",
            Framework::Check => "check",
            Framework::Criterion => "criterion",
            Framework::Gtest => "gtest",
        }
    }

    fn is_cpp(self) -> bool {
        self == Framework::Gtest
    }

    fn extension(self) -> &'static str {
        if self.is_cpp() { "cc" } else { "c" }
    }
}

/// The files of a suite: the tests, those that fail in a file of their own, and what CTest and
/// Meson need to build and run them.
pub fn export(suite: &Suite, framework: Framework) -> Vec<File> {
    let base = format!("test_{}", identifier(suite.function));
    let passing = select::as_first(&select::covering(suite.behaviours));
    let failing = select::failing(suite.behaviours);
    let passing = passing.iter().collect();
    let mut files = Vec::new();
    let mut programs = Vec::new();
    for (behaviours, suffix) in [(passing, ""), (failing, "_failing")] {
        if behaviours.is_empty() {
            continue;
        }
        let name = format!("{base}{suffix}.{}", framework.extension());
        let (text, tests) = file(suite, framework, &behaviours, !suffix.is_empty());
        // Without a test there is no program, but there are reasons to be told.
        if tests > 0 {
            programs.push(name.clone());
        }
        files.push(File { name, text });
    }
    files.extend(stubs::stubs(suite, framework, &base, &programs));
    files
}

/// A file's text, and how many tests there are in it.
fn file(
    suite: &Suite,
    framework: Framework,
    behaviours: &[&Behaviour],
    failing: bool,
) -> (String, usize) {
    let cpp = framework.is_cpp();
    let mut names = Names::new(taken(suite, behaviours));
    let makers = makers::makers(behaviours, &mut names, cpp);
    let freed = behaviours.iter().flat_map(|b| freed(b)).collect();
    let mut context = Context {
        cpp,
        names,
        makers,
        freed,
    };
    let slugs = title::slugs(behaviours);
    // Tests are named first: no variable hides one.
    let prefix = format!("test_{}", identifier(suite.function));
    let functions: Vec<String> = slugs
        .iter()
        .map(|slug| context.names.pick(&format!("{prefix}_{slug}")))
        .collect();
    let mut tests = Vec::new();
    let mut left_out = Vec::new();
    for ((behaviour, slug), function) in behaviours.iter().zip(slugs).zip(functions) {
        match plan::test(&context, behaviour, slug) {
            Ok(test) => tests.push((function, test)),
            Err(reason) => left_out.push((behaviour.case, reason.0)),
        }
    }
    let text = page(&Page {
        suite,
        framework,
        context: &context,
        tests: &tests,
        left_out: &left_out,
        failing,
    });
    (text, tests.len())
}

/// The parameters that point to what the calls gave back, with their functions.
fn freed(behaviour: &Behaviour) -> impl Iterator<Item = (String, String)> {
    let gone = |value: &Value| {
        let objects = behaviour.after.as_ref().map(|after| &after.objects);
        let object = storage::target(value).and_then(|at| objects?.get(at));
        object.is_some_and(|object| object.freed)
    };
    behaviour.calls.iter().flat_map(move |call| {
        let given = call
            .arguments
            .iter()
            .filter(move |field| gone(&field.value));
        given.map(|field| (call.function.clone(), field.name.clone()))
    })
}

/// Names that mean something in the subject: none of them may be given to anything else.
fn taken<'a>(suite: &Suite<'a>, behaviours: &[&'a Behaviour]) -> BTreeSet<&'a str> {
    let mut taken: BTreeSet<&str> = suite.taken.iter().map(String::as_str).collect();
    for behaviour in behaviours {
        taken.extend(behaviour.calls.iter().map(|call| call.function.as_str()));
        taken.extend(behaviour.before.roots.iter().map(|root| root.name.as_str()));
        let types = behaviour.before.objects.iter().map(|object| &object.ty);
        let arguments = behaviour.calls.iter().flat_map(|call| &call.arguments);
        for ty in types.chain(arguments.map(|field| &field.ty)) {
            // A tag is no name of its own: `struct node *node` is good C.
            if !["struct ", "union ", "enum "]
                .iter()
                .any(|tag| ty.contains(tag))
            {
                taken.extend(spell::words(ty));
            }
        }
    }
    taken
}
