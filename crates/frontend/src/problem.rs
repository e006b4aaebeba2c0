//! How the command ends, for scripts and for people.

use std::borrow::Cow;
use std::error::Error;
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

/// An error that can end the command. Its `Display` is a sentence that says what is wrong; what to do about it is
/// its advice.
pub trait CommandError: Error + Send + Sync + 'static {
    fn exit(&self) -> Exit;

    fn advice(&self) -> Option<Advice>;
}

/// What to do about an error, by the way in which it follows the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// `what is wrong: what to do`.
    Colon(Cow<'static, str>),
    /// `what is wrong; what to do`, usually where the sentence quotes somebody else's words.
    Semicolon(Cow<'static, str>),
    /// In parentheses on a line of its own, where the sentence has lines as well.
    Below(Cow<'static, str>),
}

impl Advice {
    pub fn colon(text: impl Into<Cow<'static, str>>) -> Option<Advice> {
        Some(Advice::Colon(text.into()))
    }

    pub fn semicolon(text: impl Into<Cow<'static, str>>) -> Option<Advice> {
        Some(Advice::Semicolon(text.into()))
    }

    pub fn below(text: impl Into<Cow<'static, str>>) -> Option<Advice> {
        Some(Advice::Below(text.into()))
    }
}

impl fmt::Display for Advice {
    /// With what stands before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Advice::Colon(text) => write!(f, ": {text}"),
            Advice::Semicolon(text) => write!(f, "; {text}"),
            Advice::Below(text) => write!(f, "\n({text})"),
        }
    }
}

/// Why a command was not carried out, whatever crate knows it. It is made from a typed error alone, and shows the
/// sentence with its advice.
pub struct Problem(Box<dyn CommandError>);

impl Problem {
    pub fn exit(&self) -> Exit {
        self.0.exit()
    }

    pub fn advice(&self) -> Option<Advice> {
        self.0.advice()
    }

    /// The error itself, if it is of this type.
    pub fn error<E: CommandError>(&self) -> Option<&E> {
        let error: &dyn Error = &*self.0;
        error.downcast_ref()
    }
}

impl<E: CommandError> From<E> for Problem {
    fn from(error: E) -> Problem {
        Problem(Box::new(error))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        match self.advice() {
            Some(advice) => write!(f, "{advice}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[derive(Debug, thiserror::Error)]
    enum Wrong {
        #[error("`{0}` is too large")]
        Large(u32),
        #[error("cannot read it: {0}")]
        Unreadable(io::Error),
        #[error("this is wrong:\nline 1")]
        Lines,
        #[error("it is so")]
        Hopeless,
    }

    impl CommandError for Wrong {
        fn exit(&self) -> Exit {
            match self {
                Wrong::Unreadable(_) => Exit::Usage,
                _ => Exit::Subject,
            }
        }

        fn advice(&self) -> Option<Advice> {
            match self {
                Wrong::Large(number) => Advice::colon(format!("give {}", number - 1)),
                Wrong::Unreadable(_) => Advice::semicolon("check the path"),
                Wrong::Lines => Advice::below("correct line 1"),
                Wrong::Hopeless => None,
            }
        }
    }

    #[test]
    fn advice_follows_the_sentence() {
        for (wrong, words) in [
            (Wrong::Large(3), "`3` is too large: give 2"),
            (
                Wrong::Unreadable(io::Error::other("no")),
                "cannot read it: no; check the path",
            ),
            (Wrong::Lines, "this is wrong:\nline 1\n(correct line 1)"),
            (Wrong::Hopeless, "it is so"),
        ] {
            assert_eq!(Problem::from(wrong).to_string(), words);
        }
    }

    #[test]
    fn a_problem_is_known_by_its_type() {
        let problem = Problem::from(Wrong::Large(7));
        assert!(matches!(problem.error(), Some(Wrong::Large(7))));
        assert!(problem.error::<clap::Error>().is_none());
        assert_eq!(problem.exit(), Exit::Subject);
    }
}
