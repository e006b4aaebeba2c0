//! Whether the tools of Erlang and Elixir are installed, and which versions.

use elsewise_report::CheckLine;
use std::process::{Command, Stdio};

/// For `doctor`: none of them is needed for C.
pub fn checks() -> Vec<CheckLine> {
    vec![
        CheckLine {
            name: "erl".into(),
            found: erlang(),
            needed: false,
            advice: "functions of Erlang and Elixir cannot be explored: run `apt-get install \
                     erlang-base erlang-dev erlang-eunit erlang-tools`"
                .into(),
        },
        CheckLine {
            name: "elixir".into(),
            found: elixir(),
            needed: false,
            advice: "functions of Elixir cannot be explored: run `apt-get install elixir`".into(),
        },
    ]
}

/// The release of OTP, if its compiler is there as well.
fn erlang() -> Option<String> {
    let release = "true = is_list(code:which(compile)), \
                   io:put_chars(erlang:system_info(otp_release)), halt().";
    let words = ["-noshell", "-noinput", "-eval", release];
    said("erl", &words).map(|release| format!("OTP {release}"))
}

fn elixir() -> Option<String> {
    said("elixir", &["-e", "IO.write(System.version())"])
}

/// What a program that succeeds says.
pub fn said(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_string())
}
