//! The tools of Erlang and Elixir that people use themselves: a module loaded as it is, not
//! instrumented.

use crate::error::FunctionError;
use crate::record::ErlangRecord;
use elsewise_explore::Case;
use elsewise_frontend::calls::SavedCalls;
use elsewise_frontend::{Never, Problem};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Expressions of Erlang that load the subject's module.
pub fn load_erlang(record: &ErlangRecord) -> String {
    let mut text = paths(record);
    let file = string(&record.file.to_string_lossy());
    if record
        .file
        .extension()
        .is_some_and(|ending| ending == "beam")
    {
        text.push_str(&format!(
            "{{ok, Code}} = file:read_file({file}),\n    \
             {{module, _}} = code:load_binary(element(2, hd(beam_lib:info(Code))), {file}, Code)"
        ));
        return text;
    }
    let mut flags = vec!["binary".to_string(), "debug_info".to_string()];
    let include = record.include.iter();
    flags.extend(include.map(|folder| format!("{{i, {}}}", string(&folder.to_string_lossy()))));
    let macros = record.macros.iter();
    flags.extend(macros.map(|(name, value)| format!("{{d, '{name}', {value}}}")));
    text.push_str(&format!(
        "{{ok, Module, Code}} = compile:file({file}, [{}]),\n    \
         {{module, _}} = code:load_binary(Module, {file}, Code)",
        flags.join(", ")
    ));
    text
}

fn paths(record: &ErlangRecord) -> String {
    let paths = record.code_path.iter();
    let paths: Vec<String> = paths.map(|path| string(&path.to_string_lossy())).collect();
    match paths.is_empty() {
        true => String::new(),
        false => format!("ok = code:add_pathsa([{}]),\n    ", paths.join(", ")),
    }
}

/// Expressions of Elixir that load the subject's modules.
pub fn load_elixir(record: &ErlangRecord) -> String {
    let mut text = String::new();
    for path in &record.code_path {
        let path = elixir_string(&path.to_string_lossy());
        text.push_str(&format!("Code.prepend_path({path})\n"));
    }
    let file = elixir_string(&record.file.to_string_lossy());
    match record
        .file
        .extension()
        .is_some_and(|ending| ending == "beam")
    {
        true => text.push_str(&format!(
            "code = File.read!({file})\n\
             [{{:module, module}} | _] = :beam_lib.info(code) |> Keyword.take([:module])\n\
             {{:module, _}} = :code.load_binary(module, String.to_charlist({file}), code)\n"
        )),
        false => text.push_str(&format!("Code.compile_file({file})\n")),
    }
    text
}

/// As a string of Erlang's.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            char if char.is_control() => out.push_str(&format!("\\x{{{:x}}}", char as u32)),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// As a string of Elixir's, in which `#{` begins an expression.
pub fn elixir_string(text: &str) -> String {
    string(text).replace("#{", "\\#{")
}

/// An atom of Erlang's, quoted where it must be; that it may be a word of the language costs two
/// characters.
pub fn atom(name: &str) -> String {
    const WORDS: [&str; 28] = [
        "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
        "catch", "cond", "div", "else", "end", "fun", "if", "let", "maybe", "not", "of", "or",
        "orelse", "receive", "rem", "try", "when",
    ];
    let plain = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '@')
        && !WORDS.contains(&name)
        && name != "xor";
    match plain {
        true => name.to_string(),
        false => format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")),
    }
}

/// The call of a case, with its module.
pub fn call(record: &ErlangRecord, arguments: &[String]) -> String {
    let arguments = arguments.join(", ");
    match record.is_elixir() {
        true => format!("{}.{}({arguments})", record.module(), record.function),
        false => format!(
            "{}:{}({arguments})",
            atom(&record.module()),
            atom(&record.function)
        ),
    }
}

/// Becomes a shell that has made the call of a case, and shown what came of it.
pub fn become_shell(saved: &SavedCalls<ErlangRecord>, case: &Case) -> Result<Never, Problem> {
    let record = &saved.record;
    let call = call(record, &saved.arguments(case)?);
    let (program, words) = match record.is_elixir() {
        true => ("iex", elixir_words(record, &call)),
        false => ("erl", erlang_words(record, &call)),
    };
    let source = Command::new(program).args(words).exec();
    Err(FunctionError::NoShell { program, source }.into())
}

fn erlang_words(record: &ErlangRecord, call: &str) -> Vec<String> {
    let text = format!(
        "{},\n    io:format(\"~ts~n\", [{}]),\n    \
         try io:format(\"~tp~n\", [{call}])\n    \
         catch Class:Reason:Stack -> \
         io:format(\"~ts~n\", [erl_error:format_exception(Class, Reason, Stack)]) end.",
        load_erlang(record),
        string(call)
    );
    vec!["-eval".into(), text]
}

fn elixir_words(record: &ErlangRecord, call: &str) -> Vec<String> {
    let text = format!(
        "{}IO.puts({})\n\
         try do\n  IO.inspect({call})\ncatch\n  kind, reason -> \
         IO.puts(Exception.format(kind, reason, __STACKTRACE__))\nend",
        load_elixir(record),
        elixir_string(call)
    );
    vec!["--eval".into(), text]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_are_quoted() {
        for (name, spelled) in [
            ("transfer", "transfer"),
            ("a@b_1", "a@b_1"),
            ("Upper", "'Upper'"),
            ("+", "'+'"),
            ("end", "'end'"),
            ("it's", "'it\\'s'"),
            ("", "''"),
        ] {
            assert_eq!(atom(name), spelled);
        }
        assert_eq!(string("a\"b\\c\n"), "\"a\\\"b\\\\c\\x{a}\"");
        assert_eq!(elixir_string("#{x}"), "\"\\#{x}\"");
    }
}
