//! How a run ended, in the words of findings.

use crate::processes::ProcessReport;
use crate::text;
use crate::value::Value;
use elsewise_explore::{FailureKind, Location, Outcome};

/// What the machine said of the end of a run.
#[derive(Clone, Debug)]
pub enum End {
    Value(Value),
    /// Class, reason and stack.
    Exception(Value, Value, Value),
    Timeout(Value),
    Memory(Value),
    /// All processes wait for messages that nobody will send, or never come to an end.
    Stuck(String),
}

impl End {
    pub fn read(value: &Value) -> Option<End> {
        let parts = value.as_tuple()?;
        Some(match (parts.first()?.as_atom()?, &parts[1..]) {
            ("ok", [value]) => End::Value(value.clone()),
            ("exception", [class, reason, stack]) => {
                End::Exception(class.clone(), reason.clone(), stack.clone())
            }
            ("timeout", [stack]) => End::Timeout(stack.clone()),
            ("memory", [stack]) => End::Memory(stack.clone()),
            ("stuck", [how]) => End::Stuck(how.as_atom()?.to_string()),
            _ => return None,
        })
    }

    /// Whether the function that was called has no clause for what it was given.
    pub fn refuses(&self, module: &str, function: &str, arity: u32) -> bool {
        let End::Exception(class, reason, stack) = self else {
            return false;
        };
        let first = match stack {
            Value::Cons(pair) => pair.head.as_tuple(),
            _ => None,
        };
        class.is_atom("error")
            && reason.is_atom("function_clause")
            && matches!(first, Some([m, f, a, _]) if m.is_atom(module) && f.is_atom(function)
            && match a {
                Value::Int(count) => *count == i64::from(arity),
                list => list.elements().is_some_and(|all| all.len() == arity as usize),
            })
    }

    pub fn outcome(&self, elixir: bool, files: &dyn Fn(&str) -> Option<String>) -> Outcome {
        match self {
            End::Value(_) => Outcome::Exit(0),
            End::Exception(class, reason, stack) => {
                if class.is_atom("exit") && matches!(reason.as_atom(), Some("normal" | "shutdown"))
                {
                    return Outcome::Exit(0);
                }
                let (kind, message) = failure(class, reason, elixir);
                Outcome::Failure {
                    kind: kind.into(),
                    message,
                    place: places(stack, files),
                }
            }
            End::Timeout(stack) => Outcome::Failure {
                kind: FailureKind::Hang,
                message: "has not ended within the time of a run".into(),
                place: places(stack, files),
            },
            End::Stuck(how) => Outcome::Failure {
                kind: how.as_str().into(),
                message: String::new(),
                place: Vec::new(),
            },
            End::Memory(stack) => Outcome::Failure {
                kind: FailureKind::Memory,
                message: "takes more memory than a run may have".into(),
                place: places(stack, files),
            },
        }
    }
}

/// How a run with processes ended: somebody waits for ever, or another process than the first has
/// failed.
pub fn of_processes(
    told: &ProcessReport,
    end: &End,
    elixir: bool,
    files: &dyn Fn(&str) -> Option<String>,
) -> Option<Outcome> {
    if let End::Stuck(how) = end {
        let show = if elixir { text::elixir } else { text::erlang };
        let mut message = String::new();
        let mut place = Vec::new();
        let mut left = 0;
        for (name, stack, mailbox) in &told.waiting {
            let stands = places(stack, files);
            let own = stands.iter().find(|place| place.line > 0).cloned();
            if !message.is_empty() {
                message.push_str("; ");
            }
            message.push_str(&format!(
                "process {name} waits for a message that nobody sends"
            ));
            if !mailbox.is_empty() {
                left += 1;
                let all: Vec<String> = mailbox.iter().map(show).collect();
                message.push_str(&format!(", with {} in its mailbox", all.join(", ")));
            }
            place.extend(own);
        }
        let kind = match (how.as_str(), left) {
            // One has what it does not wait for; several keep each other waiting.
            ("deadlock", 1) => "lost message",
            (other, _) => other,
        };
        return Some(Outcome::Failure {
            kind: kind.into(),
            message,
            place,
        });
    }
    // To exit with a reason is to tell others; an error is a crash, whoever is told.
    let mut crashes = told.crashes.iter();
    let (name, class, reason, stack) = crashes.find(|(_, class, _, _)| !class.is_atom("exit"))?;
    let (kind, message) = failure(class, reason, elixir);
    Some(Outcome::Failure {
        kind: kind.into(),
        message: format!("{message} (in process {name})"),
        place: places(stack, files),
    })
}

/// Reasons of the machine's own, each a kind of finding.
const KINDS: [&str; 17] = [
    "with_clause",
    "cond_clause",
    "badrecord",
    "badmatch",
    "case_clause",
    "function_clause",
    "if_clause",
    "try_clause",
    "badarith",
    "badarg",
    "badkey",
    "badmap",
    "badfun",
    "badarity",
    "undef",
    "noproc",
    "system_limit",
];

fn failure(class: &Value, reason: &Value, elixir: bool) -> (String, String) {
    let show = |value: &Value| {
        let mut text = match elixir {
            true => text::elixir(value),
            false => text::erlang(value),
        };
        if let Some((cut, _)) = text.char_indices().nth(400) {
            text.truncate(cut);
            text.push('…');
        }
        text
    };
    match class.as_atom() {
        Some("throw") => (
            "throw".into(),
            format!("throw({}) is not caught", show(reason)),
        ),
        Some("exit") => ("exit".into(), format!("exit({})", show(reason))),
        _ => {
            let name = reason
                .as_atom()
                .or_else(|| reason.as_tuple().and_then(|parts| parts.first()?.as_atom()));
            if let Some(kind) = KINDS.iter().find(|kind| name == Some(**kind)) {
                let about = match reason.as_tuple() {
                    Some([_, value]) => format!(": {}", show(value)),
                    _ => String::new(),
                };
                return (kind.to_string(), format!("{}{about}", sentence(kind)));
            }
            if name.is_some_and(|name| name.starts_with("assert")) && reason.as_tuple().is_some() {
                return ("assertion".into(), show(reason));
            }
            if let Some((module, message)) = elixir_exception(reason) {
                let kind = match module.as_str() {
                    "ExUnit.AssertionError" => "assertion",
                    _ => "error",
                };
                return (kind.into(), format!("** ({module}) {message}"));
            }
            ("error".into(), show(reason))
        }
    }
}

fn sentence(kind: &str) -> &'static str {
    match kind {
        "badmatch" => "no match of the right-hand side",
        "case_clause" => "no clause of the case matches",
        "function_clause" => "no clause of the function matches",
        "if_clause" => "no branch of the if is true",
        "try_clause" => "no clause of the try matches",
        "with_clause" => "no clause of the with matches",
        "cond_clause" => "no branch of the cond is true",
        "badarith" => "an arithmetic operation on what is no number, or a division by zero",
        "badarg" => "an argument of the wrong type or value",
        "badkey" => "no such key",
        "badmap" => "not a map",
        "badrecord" => "not a record of this kind",
        "badfun" => "not a function",
        "badarity" => "a function called with another number of arguments",
        "undef" => "an undefined function",
        "noproc" => "no such process",
        _ => "a limit of the system",
    }
}

fn elixir_exception(reason: &Value) -> Option<(String, String)> {
    let Value::Map(map) = reason else { return None };
    let get = |name: &str| {
        let key = crate::value::Key(Value::atom(name));
        map.entries.get(&key).cloned().flatten()
    };
    let module = get("__struct__")?;
    let module = module.as_atom()?.strip_prefix("Elixir.")?.to_string();
    let message = match get("message") {
        Some(message) => crate::program::text(&message),
        None => text::elixir(reason),
    };
    Some((module, message))
}

/// Frames of a stack, innermost first.
fn places(stack: &Value, files: &dyn Fn(&str) -> Option<String>) -> Vec<Location> {
    let frames = stack.elements().unwrap_or_default();
    let (all, own): (Vec<Location>, Vec<bool>) = frames
        .iter()
        .filter_map(|frame| {
            let [module, function, arity, about] = frame.as_tuple()? else {
                return None;
            };
            let module = module.as_atom()?;
            let arity = match arity {
                Value::Int(arity) => *arity as usize,
                list => list.elements()?.len(),
            };
            let about = about.elements()?;
            let get = |name: &str| {
                about.iter().find_map(|pair| match pair.as_tuple()? {
                    [key, value] if key.is_atom(name) => Some(value.clone()),
                    _ => None,
                })
            };
            let line = match get("line") {
                Some(Value::Int(line)) => line as u32,
                _ => 0,
            };
            let named = get("file").map(|file| crate::program::text(&file));
            let file = files(module);
            let own = file.is_some();
            let file = file.or(named).unwrap_or_default();
            let name = module.strip_prefix("Elixir.").unwrap_or(module);
            let separator = if name == module { ':' } else { '.' };
            let place = Location {
                file,
                line,
                column: 0,
                function: format!("{name}{separator}{}/{arity}", function.as_atom()?),
            };
            Some((place, own))
        })
        .unzip();
    // What failed inside of the machine or its library failed where the subject called it.
    let first = own.iter().position(|own| *own);
    all[first.unwrap_or(0)..].to_vec()
}
