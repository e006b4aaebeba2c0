//! Functions of Erlang and predicates of Prolog that try to get out of their machines. Where one succeeds it raises
//! an error: contained, nothing is found, and without containment it is.

use super::{Way, kinds};
use anyhow::{Result, ensure};
use elsewise_tests::command::{Summary, explore_with};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Erlang,
    Prolog,
}

impl Language {
    /// A subject that does something for two inputs, and how it is named.
    fn subject(self, attempt: &str) -> (&'static str, &'static str, String) {
        match self {
            Language::Erlang => (
                "w.erl",
                "w.erl::w/1",
                format!(
                    "-module(w).\n-export([w/1]).\n-spec w(integer()) -> any().\n\
                     w(7) -> attempt();\nw(8) -> attempt();\nw(_) -> ok.\n\
                     attempt() -> {attempt}.\n"
                ),
            ),
            Language::Prolog => (
                "w.pl",
                "w.pl::w/1",
                format!(
                    ":- use_module(library(socket)).\n%! w(+X:integer) is det.\n\
                     w(7) :- !, attempt.\nw(8) :- !, attempt.\nw(_).\n\
                     attempt :- {attempt}.\n"
                ),
            ),
        }
    }
}

fn explored(
    way: Way,
    folder: &Path,
    language: Language,
    attempt: &str,
    options: &[&str],
) -> Result<Summary> {
    let (file, subject, text) = language.subject(attempt);
    fs::write(folder.join(file), text)?;
    if way == Way::Ordinary {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o777))?;
    }
    let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    let prepare = |command: &mut Command| {
        way.prepare(command, folder);
        if way == Way::Ordinary {
            command.env("XDG_CACHE_HOME", folder.join("cache"));
        }
    };
    Ok(explore_with(&[subject.into()], &options, folder, prepare)?.summary)
}

/// Contained, in every way, it does not succeed, and what it was refused is counted; with one of `freely`, it does.
fn fails_unless(language: Language, attempt: &str, freely: &[&str]) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for way in Way::all()? {
        let summary = explored(way, folder.path(), language, attempt, &[])?;
        ensure!(
            summary.findings.is_empty() && summary.approximations.contains_key("refused"),
            "{way:?}: {attempt}: {summary:?}"
        );
    }
    for freely in freely {
        let summary = explored(Way::Usual, folder.path(), language, attempt, &[freely])?;
        ensure!(
            !kinds(&summary).is_empty(),
            "{freely}: {attempt}: {summary:?}"
        );
    }
    Ok(())
}

/// What a program does that writes to a path, in each of these ways, with nothing that keeps it from there and without.
fn does_not_write(language: Language, attempts: impl Fn(&str) -> Vec<String>) -> Result<()> {
    let elsewhere = tempfile::tempdir()?;
    fs::set_permissions(elsewhere.path(), fs::Permissions::from_mode(0o777))?;
    let path = elsewhere.path().join("victim").display().to_string();
    let allow = format!("--allow-write={}", elsewhere.path().display());
    for attempt in attempts(&path) {
        // What a program does that is started is not seen: nothing that comes of it is called a finding.
        let freely = match attempt.contains("echo") {
            true => &["--no-containment"][..],
            false => &[&allow, "--no-containment"],
        };
        fails_unless(language, &attempt, freely)?;
        let _ = fs::remove_file(&path);
    }
    Ok(())
}

#[test]
fn files_elsewhere_are_not_written_by_erlang() -> Result<()> {
    does_not_write(Language::Erlang, |path| {
        vec![
            format!("case file:write_file(\"{path}\", \"x\") of ok -> error(out); _ -> ok end"),
            format!(
                "case file:make_dir(\"{path}\") of ok -> file:del_dir(\"{path}\"), error(out); _ -> ok end"
            ),
            format!(
                "os:cmd(\"echo x > {path}\"), case filelib:is_file(\"{path}\") of true -> error(out); _ -> ok end"
            ),
        ]
    })
}

#[test]
fn files_elsewhere_are_not_written_by_prolog() -> Result<()> {
    does_not_write(Language::Prolog, |path| {
        vec![
            format!(
                "catch((open('{path}', write, S), close(S)), error(permission_error(_, _, _), _), fail) -> throw(out) ; true"
            ),
            format!("shell('echo x > {path}'), exists_file('{path}') -> throw(out) ; true"),
        ]
    })
}

#[test]
fn there_is_no_network() -> Result<()> {
    for (language, attempt) in [
        (
            Language::Erlang,
            "case gen_tcp:listen(0, []) of {ok, S} -> gen_tcp:close(S), error(out); _ -> ok end",
        ),
        (
            Language::Erlang,
            "case gen_udp:open(0) of {ok, S} -> gen_udp:close(S), error(out); _ -> ok end",
        ),
        (
            Language::Erlang,
            "case socket:open(local, stream) of {ok, S} -> socket:close(S), error(out); _ -> ok end",
        ),
        (
            Language::Prolog,
            "catch((tcp_socket(S), tcp_close_socket(S)), _, fail) -> throw(out) ; true",
        ),
    ] {
        fails_unless(language, attempt, &["--allow-network", "--no-containment"])?;
    }
    Ok(())
}

/// A process of the user's that is none of the subject's.
struct Stranger(Child);

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn other_processes_are_out_of_reach() -> Result<()> {
    for language in [Language::Erlang, Language::Prolog] {
        let folder = tempfile::tempdir()?;
        for (way, options, dies) in Way::all()?
            .into_iter()
            .map(|way| (way, &[][..], false))
            .chain([(Way::Usual, &["--no-containment"][..], true)])
        {
            let mut sleep = Command::new("sleep");
            way.prepare(sleep.arg("600"), Path::new("/"));
            let mut stranger = Stranger(sleep.spawn()?);
            let kill = format!("kill -9 {}", stranger.0.id());
            let attempt = match language {
                Language::Erlang => format!("os:cmd(\"{kill}\"), ok"),
                Language::Prolog => format!("shell('{kill} 2>/dev/null') -> true ; true"),
            };
            explored(way, folder.path(), language, &attempt, options)?;
            let dead = stranger.0.try_wait()?.is_some();
            ensure!(dead == dies, "{language:?}, {way:?}, {options:?}");
        }
    }
    Ok(())
}

/// Processes whose arguments have this word.
fn with_word(word: &str) -> Result<usize> {
    let mut number = 0;
    for entry in fs::read_dir("/proc")? {
        let words = fs::read(entry?.path().join("cmdline")).unwrap_or_default();
        number += usize::from(
            words
                .split(|byte| *byte == 0)
                .any(|it| it == word.as_bytes()),
        );
    }
    Ok(number)
}

#[test]
fn no_process_is_left() -> Result<()> {
    for language in [Language::Erlang, Language::Prolog] {
        let folder = tempfile::tempdir()?;
        for way in Way::all()? {
            let word = format!("600.{}", std::process::id());
            let daemon = format!("setsid sleep {word} > /dev/null 2>&1 &");
            let attempt = match language {
                Language::Erlang => format!("os:cmd(\"{daemon}\"), ok"),
                Language::Prolog => format!("shell('{daemon}')"),
            };
            let summary = explored(way, folder.path(), language, &attempt, &[])?;
            ensure!(
                summary.approximations.contains_key("left-processes"),
                "{language:?}, {way:?}: {summary:?}"
            );
            ensure!(with_word(&word)? == 0, "{language:?}, {way:?}");
        }
    }
    Ok(())
}

#[test]
fn what_a_run_writes_to_its_own_folder_is_gone() -> Result<()> {
    for (language, attempt) in [
        (
            Language::Erlang,
            "{error, enoent} = file:read_file(\"left\"), ok = file:write_file(\"left\", \"x\")",
        ),
        (
            Language::Prolog,
            "getenv('TMPDIR', D), atom_concat(D, '/left', L), \
             ( exists_file(L) -> throw(left) ; open(L, write, S), close(S), delete_file(L), \
               open(L, append, T), close(T) )",
        ),
    ] {
        let folder = tempfile::tempdir()?;
        for way in Way::all()? {
            let summary = explored(way, folder.path(), language, attempt, &[])?;
            ensure!(
                summary.findings.is_empty() && !summary.approximations.contains_key("refused"),
                "{language:?}, {way:?}: {summary:?}"
            );
        }
    }
    Ok(())
}

/// Each looks whether somebody was there before, and then leaves something in the machine itself.
#[test]
fn what_a_run_changes_in_its_machine_is_not_seen() -> Result<()> {
    use Language::{Erlang, Prolog};
    let attempts = [
        (
            Erlang,
            r#"false = os:getenv("LEFT"), os:putenv("LEFT", "x")"#,
        ),
        (
            Erlang,
            r#"{ok, [_, _ | _]} = file:get_cwd(), ok = file:set_cwd("/")"#,
        ),
        (
            Erlang,
            "no = persistent_term:get(left, no), persistent_term:put(left, x)",
        ),
        (
            Erlang,
            "undefined = application:get_env(kernel, left), application:set_env(kernel, left, x)",
        ),
        (Prolog, r"\+ getenv('LEFT', _), setenv('LEFT', x)"),
        (
            Prolog,
            r"\+ working_directory('/', '/'), working_directory(_, '/')",
        ),
        (
            Prolog,
            r"\+ current_prolog_flag(double_quotes, atom), set_prolog_flag(double_quotes, atom)",
        ),
        (Prolog, r"\+ current_op(_, _, left), op(700, xfx, left)"),
        (Prolog, r"\+ recorded(left, _), recordz(left, x)"),
        (Prolog, "flag(left, 0, 1)"),
        (Prolog, "gensym(left, left1)"),
        // This cannot be undone.
        (
            Prolog,
            r"\+ current_prolog_flag(left, _), create_prolog_flag(left, x, [])",
        ),
    ];
    for (language, attempt) in attempts {
        let folder = tempfile::tempdir()?;
        let attempt = match language {
            Erlang => attempt.to_owned(),
            Prolog => format!("( {attempt} -> true ; throw(left) )"),
        };
        let summary = explored(Way::Usual, folder.path(), language, &attempt, &[])?;
        let undone = !attempt.contains("create_prolog_flag");
        ensure!(
            summary.findings.is_empty() && summary.paths == 3 && summary.complete == undone,
            "{language:?}: {attempt}: {summary:?}"
        );
    }
    Ok(())
}
