//! What calls do in the module as its people run it, told by the language itself: values are spelled
//! as it spells them, and only if reading that gives them back.

use crate::erlang::kept::KeptCall;
use crate::erlang::shell;
use crate::exit::Problem;
use elsewise_report::export::CallEnd;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// How each call ends. A call that does not end would keep all others from being made: such are not
/// to be asked for.
pub fn observe(kept: &KeptCall, calls: &[String]) -> Result<Vec<CallEnd>, Problem> {
    let cannot = |error| {
        Problem::usage(format!(
            "cannot make a folder to observe in: {error}; set TMPDIR"
        ))
    };
    let folder = tempfile::tempdir().map_err(cannot)?;
    let told = folder.path().join("told");
    let (program, name, text) = match kept.is_elixir() {
        true => ("elixir", "calls.exs", elixir(kept, calls, &told)),
        false => ("escript", "calls.escript", erlang(kept, calls, &told)),
    };
    let script = folder.path().join(name);
    fs::write(&script, text).map_err(cannot)?;
    let output = Command::new(program)
        .arg(&script)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            Problem::subject(format!(
                "cannot start {program}: {error}; `elsewise doctor` says what to install"
            ))
        })?;
    let told = fs::read_to_string(&told).unwrap_or_default();
    let ends: Vec<CallEnd> = told.lines().map(end).collect();
    if ends.len() != calls.len() {
        let mut words = String::from_utf8_lossy(&output.stdout).into_owned();
        words.push_str(&String::from_utf8_lossy(&output.stderr));
        return Err(Problem::subject(format!(
            "{program} could not make the calls of the campaign:\n{}",
            words.trim_end()
        )));
    }
    Ok(ends)
}

/// One line of what was told.
fn end(line: &str) -> CallEnd {
    let (word, text) = line.split_once('\t').unwrap_or((line, ""));
    match word {
        "returned" if text.is_empty() => CallEnd::ReturnsUnspoken,
        "returned" => CallEnd::Returns(text.into()),
        "error" | "exit" | "throw" => CallEnd::Raises {
            class: word.into(),
            reason: text.into(),
        },
        _ => CallEnd::Unknown,
    }
}

fn erlang(kept: &KeptCall, calls: &[String], told: &Path) -> String {
    let calls: Vec<String> = calls
        .iter()
        .map(|call| format!("fun() -> {call} end"))
        .collect();
    format!(
        r#"#!/usr/bin/env escript
main(_) ->
    {load},
    Told = [told(Call) || Call <- [{calls}]],
    ok = file:write_file({told}, unicode:characters_to_binary(Told)).

told(Call) ->
    try Call() of
        Value -> io_lib:format("returned\t~ts~n", [spelled(Value, "")])
    catch
        Class:Reason -> io_lib:format("~ts\t~ts~n", [Class, pattern(Reason)])
    end.

spelled(Value, Otherwise) ->
    Text = lists:flatten(io_lib:format("~0tp", [Value])),
    try
        {{ok, Tokens, _}} = erl_scan:string(Text ++ "."),
        {{ok, Value}} = erl_parse:parse_term(Tokens),
        Text
    catch
        _:_ -> Otherwise
    end.

%% In a pattern, a map is written otherwise.
pattern(Reason) ->
    case has_map(Reason) of
        true -> "_";
        false -> spelled(Reason, "_")
    end.

has_map(Map) when is_map(Map) -> true;
has_map([Head | Tail]) -> has_map(Head) orelse has_map(Tail);
has_map(Tuple) when is_tuple(Tuple) -> has_map(tuple_to_list(Tuple));
has_map(_) -> false.
"#,
        load = shell::load_erlang(&kept.options()),
        calls = calls.join(",\n        "),
        told = shell::string(&told.to_string_lossy())
    )
}

fn elixir(kept: &KeptCall, calls: &[String], told: &Path) -> String {
    let calls: Vec<String> = calls
        .iter()
        .map(|call| format!("fn -> {call} end"))
        .collect();
    format!(
        r##"defmodule Elsewise.Told do
  def told(call) do
    "returned\t" <> spelled(call.(), "")
  catch
    :error, reason ->
      "error\t" <> inspect(Exception.normalize(:error, reason, __STACKTRACE__).__struct__)

    class, reason ->
      "#{{class}}\t" <> spelled(reason, "_")
  end

  def spelled(value, otherwise) do
    text = inspect(value, limit: :infinity, printable_limit: :infinity, width: :infinity)

    try do
      {{^value, _}} = Code.eval_string(text)
      if String.contains?(text, "\n"), do: otherwise, else: text
    rescue
      _ -> otherwise
    end
  end
end

{load}
calls = [
  {calls}
]

File.write!({told}, Enum.map(calls, &[Elsewise.Told.told(&1), "\n"]))
"##,
        load = shell::load_elixir(&kept.options()),
        calls = calls.join(",\n  "),
        told = shell::elixir_string(&told.to_string_lossy())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        assert_eq!(end("returned\t{ok,1}"), CallEnd::Returns("{ok,1}".into()));
        assert_eq!(end("returned\t"), CallEnd::ReturnsUnspoken);
        assert_eq!(end("nonsense"), CallEnd::Unknown);
        assert_eq!(
            end("throw\t\"a\tb\""),
            CallEnd::Raises {
                class: "throw".into(),
                reason: "\"a\tb\"".into()
            }
        );
    }
}
