//! How the command ends, for scripts and for people.

use std::fmt;
use std::process::ExitCode;

/// The exit codes of `elsewise`. They are a public interface: a code never changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Nothing was found. Whether everything was explored is in the summary.
    Clean = 0,
    /// The command cannot be carried out as it was given: a wrong flag, a missing file, a
    /// campaign that is locked or damaged.
    Usage = 1,
    /// At least one confirmed finding; for `replay`, the case fails; for `check`, a case ends
    /// otherwise than it did.
    Findings = 2,
    /// The budget ended, or the exploration was stopped, before it was at its end; no findings.
    Budget = 3,
    /// The subject could not be built or run, or a tool that is needed for it is missing.
    Subject = 4,
    /// A program did the same whatever its input was: nothing was tested.
    Indifferent = 5,
    /// With `--require-complete`: no findings, but not explored completely.
    Incomplete = 6,
    /// The result could not be written: a full disk, a file or directory that cannot be written to.
    Unwritten = 7,
    /// A fault of Elsewise's own. Please report it.
    Fault = 70,
}

impl Exit {
    pub const ALL: [Exit; 9] = [
        Exit::Clean,
        Exit::Usage,
        Exit::Findings,
        Exit::Budget,
        Exit::Subject,
        Exit::Indifferent,
        Exit::Incomplete,
        Exit::Unwritten,
        Exit::Fault,
    ];

    pub fn code(self) -> u8 {
        self as u8
    }

    /// A few words, as `--help` and the book show them.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Clean => "nothing found",
            Exit::Usage => "wrong usage, or a campaign that cannot be used",
            Exit::Findings => "findings (replay: the case fails; check: a case ends otherwise)",
            Exit::Budget => "the budget ended first, nothing found so far",
            Exit::Subject => "the subject could not be built or run",
            Exit::Indifferent => "nothing depends on the program's input, so nothing was tested",
            Exit::Incomplete => "--require-complete: no findings, but not explored completely",
            Exit::Unwritten => "the result could not be written",
            Exit::Fault => "a fault of Elsewise's own",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a command was not carried out: what to say, and how to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub exit: Exit,
    /// What is wrong and what to do about it.
    pub message: String,
}

impl Problem {
    pub fn usage(message: impl fmt::Display) -> Problem {
        Problem {
            exit: Exit::Usage,
            message: message.to_string(),
        }
    }

    pub fn unwritten(message: impl fmt::Display) -> Problem {
        Problem {
            exit: Exit::Unwritten,
            message: message.to_string(),
        }
    }

    pub fn subject(message: impl fmt::Display) -> Problem {
        Problem {
            exit: Exit::Subject,
            message: message.to_string(),
        }
    }
}
