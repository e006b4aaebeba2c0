//! C and C++ programs, and functions of C, as subjects of the command.
//!
//! A `NativeTarget` is what the user named, [`BuiltNative`] that as a program that can be
//! explored, [`SavedProgram`] what its campaign has saved. `elsewise-driver` builds the programs, `elsewise-functions`
//! writes those around functions, and `elsewise-native` runs them; here is what users say and see of them.

mod build_folder;
mod building;
mod built;
mod cache;
mod capture;
mod chosen_tests;
mod contained_flags;
mod debug;
mod exchange;
mod export;
pub mod flags;
mod gdb;
mod harness;
mod names;
mod not_followed;
mod outline;
mod plain_run;
mod program_error;
mod record;
mod saved;
mod saved_function;
mod schedules;
mod seeds;
mod shrink;
mod stdlib;
mod syntax;
mod target;
mod target_error;
mod test_comp;
mod tools;

pub use build_folder::folder;
pub use building::build_written;
pub use built::{BuiltNative, Runs};
pub use names::is_source;
pub use program_error::problem;
pub use record::NativeRecord;
pub use saved::SavedProgram;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use elsewise_frontend::flags::{FlagGroup, Flags, STEPS, SUBSUMPTION};
use elsewise_frontend::outline::Explorable;
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::{
    Form, FrontEnd, Problem, SavedSubject, Target, TestFramework, Verb, notices,
};
use elsewise_report::CheckLine;
use elsewise_report::html::Syntax;
use std::ffi::OsString;
use std::process::ExitCode;

/// The front end.
pub struct Native;

pub static FRONT_END: Native = Native;

impl FrontEnd for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn forms(&self) -> &'static [Form] {
        &[
            Form {
                text: "FILE.c ...",
                means: "C or C++ source files of a program",
            },
            Form {
                text: "EXECUTABLE",
                means: "one that was built with elsewise-cc",
            },
            Form {
                text: "FILE.c::FUNCTION",
                means: "a function of C, with other files that it needs",
            },
        ]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "bst.c --cflags '-DN=3' --input-size 20",
            "main.c table.c --budget 5m --jobs 2",
            "parser.c --budget 60s,100000runs --format json",
            "./readtags -- -t @@ -l",
            "src/list.c::list_concat --valid list:list_check",
            "src/list.c --sequence 'list_new,list_add,list_remove,list_has'",
            "tool.c --env LEVEL=@arg:2 -- --name=@arg:4 -v",
        ]
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![
            &flags::BUILD,
            &flags::DATABASE,
            &flags::INPUT,
            &flags::RUN,
            &flags::THREADS,
            &flags::OPERATIONS,
            &flags::SEQUENCE,
            &STEPS,
            &flags::FUNCTION,
            &SUBSUMPTION,
        ]
    }

    fn tools(&self) -> Vec<CheckLine> {
        tools::checks()
    }

    fn frameworks(&self) -> &'static [TestFramework] {
        &[
            TestFramework {
                name: "tap",
                about: "The Test Anything Protocol: nothing but the C library",
            },
            TestFramework {
                name: "cmocka",
                about: "",
            },
            TestFramework {
                name: "check",
                about: "",
            },
            TestFramework {
                name: "criterion",
                about: "",
            },
            TestFramework {
                name: "gtest",
                about: "GoogleTest, in C++",
            },
        ]
    }

    fn syntaxes(&self) -> &'static [Syntax] {
        &syntax::SYNTAXES
    }

    fn explorables(&self, file: &str, text: &str) -> Vec<Explorable> {
        outline::explorables(file, text)
    }

    fn verbs(&self) -> &'static [Verb] {
        &[
            Verb {
                command: || capture::CaptureArgs::augment_args(Command::new("capture")),
                run: |given| capture::run(&read(given)?),
            },
            Verb {
                command: || cache::CacheArgs::augment_args(Command::new("cache")),
                run: |given| cache::cache(&read(given)?).map(ExitCode::from),
            },
            Verb {
                command: || stdlib::StdlibArgs::augment_args(Command::new("stdlib")),
                run: |given| stdlib::stdlib(&read(given)?).map(ExitCode::from),
            },
        ]
    }

    fn target(&self, words: &[String], flags: &Flags) -> Result<Option<Box<dyn Target>>, Problem> {
        let target = names::NativeTarget::new(words, flags)?;
        Ok(target.map(|target| Box::new(target) as Box<dyn Target>))
    }

    fn reopen(&self, saved: SavedRecord) -> Result<Box<dyn SavedSubject>, Problem> {
        saved::reopen(saved)
    }

    /// A compiler that a build calls, which is watched.
    fn helper(&self, words: &[OsString]) -> Option<ExitCode> {
        let (text, code) = elsewise_driver::commands::shim(words)?;
        notices::note(&text);
        Some(ExitCode::from(code))
    }
}

fn read<T: FromArgMatches>(given: &ArgMatches) -> Result<T, Problem> {
    Ok(T::from_arg_matches(given)?)
}
