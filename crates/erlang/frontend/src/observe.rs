//! What calls do in the module as its people run it, told by the language itself: values are spelled
//! as it spells them, and only if reading that gives them back.

use crate::error::FunctionError;
use crate::record::ErlangRecord;
use crate::shell;
use elsewise_campaign::read_unlinked;
use elsewise_child::{Machine, null};
use elsewise_export::CallEnd;
use elsewise_frontend::calls::SavedCalls;
use elsewise_frontend::{FrontEndError, Problem, contain};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// How long the calls are waited for, at least: all of them have ended before.
const LEAST: Duration = Duration::from_secs(20);

/// Bytes of the largest value that is spelled.
const LARGEST: usize = 1 << 16;

/// How each call ends. A call that does not end would keep all others from being made: such are not
/// to be asked for.
pub fn observe(
    saved: &SavedCalls<ErlangRecord>,
    calls: &[String],
    end: Instant,
) -> Result<Vec<CallEnd>, Problem> {
    let cannot = FrontEndError::no_folder("to observe in");
    let folder = tempfile::tempdir().map_err(cannot)?;
    let told = folder.path().join("told");
    let (program, name, text) = match saved.record.is_elixir() {
        true => ("elixir", "calls.exs", elixir(&saved.record, calls, &told)),
        false => (
            "escript",
            "calls.escript",
            erlang(&saved.record, calls, &told),
        ),
    };
    let script = folder.path().join(name);
    fs::write(&script, text).map_err(cannot)?;
    let said = folder.path().join("said");
    run(
        saved,
        program,
        &script,
        &said,
        end.max(Instant::now() + LEAST),
    )
    .map_err(|source| FunctionError::NoCaller { program, source })?;
    let told = read_unlinked(&told).unwrap_or_default();
    let told = String::from_utf8_lossy(&told);
    let ends: Vec<CallEnd> = told.lines().map(self::end).collect();
    if ends.len() != calls.len() {
        let words = read_unlinked(&said).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        let said = words.trim_end().to_string();
        return Err(FunctionError::NotCalled { program, said }.into());
    }
    Ok(ends)
}

/// Runs a script, contained as the subject is, until it has ended, or the time has. What it says is in a file.
fn run(
    saved: &SavedCalls<ErlangRecord>,
    program: &str,
    script: &Path,
    said: &Path,
    end: Instant,
) -> io::Result<()> {
    let folder = script.parent().unwrap_or(script);
    let mut contained = saved.contained();
    contained.write.push(folder.to_path_buf());
    let said = File::create(said)?;
    let mut command = Command::new(program);
    command.arg(script).current_dir(folder);
    let mut running = contain::starter(&contained).start(Machine {
        command,
        stdio: [null()?, said.try_clone()?.into(), said.into()],
        inherit: Vec::new(),
        own_folder: false,
    })?;
    while !running.has_ended()? && Instant::now() < end {
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
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

fn erlang(record: &ErlangRecord, calls: &[String], told: &Path) -> String {
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

%% What is larger nobody reads, and it takes seconds to spell.
spelled(Value, Otherwise) ->
    case erlang:external_size(Value) > {LARGEST} of
        true -> Otherwise;
        false -> spelled_small(Value, Otherwise)
    end.

spelled_small(Value, Otherwise) ->
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
        load = shell::load_erlang(record),
        calls = calls.join(",\n        "),
        told = shell::string(&told.to_string_lossy())
    )
}

fn elixir(record: &ErlangRecord, calls: &[String], told: &Path) -> String {
    let calls: Vec<String> = calls
        .iter()
        .map(|call| format!("fn -> {call} end"))
        .collect();
    format!(
        r##"defmodule Elsewise.Calls do
  def told(call) do
    "returned\t" <> spelled(call.(), "")
  catch
    :error, reason ->
      "error\t" <> inspect(Exception.normalize(:error, reason, __STACKTRACE__).__struct__)

    class, reason ->
      "#{{class}}\t" <> spelled(reason, "_")
  end

  # What is larger nobody reads, and it takes seconds to spell.
  def spelled(value, otherwise) do
    if :erlang.external_size(value) > {LARGEST},
      do: otherwise,
      else: spelled_small(value, otherwise)
  end

  def spelled_small(value, otherwise) do
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

File.write!({told}, Enum.map(calls, &[Elsewise.Calls.told(&1), "\n"]))
"##,
        load = shell::load_elixir(record),
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
