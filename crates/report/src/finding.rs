//! A finding as text: short at the end of an exploration, long for `show`.

use crate::style::{BAD, DIM, HEADING, NAME, WARN, paint};
use crate::{GraphJson, Picture, Terminal, escape, hex, names, numbers};
use elsewise_campaign::{Finding, Frame};
use elsewise_explore::Case;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Bytes of one input that the long view shows.
const DUMP: usize = 4096;
/// Inputs and frames that the short view shows.
const SHORT_LIST: usize = 4;
/// Frames that the long view shows.
const LONG_LIST: usize = 32;

/// A finding with what belongs to it.
pub struct FindingView<'a> {
    pub finding: &'a Finding,
    /// The inputs that make it happen, where they could be read.
    pub case: Option<&'a Case>,
    /// The finding's folder: what `replay` is given.
    pub folder: &'a str,
    /// Source around the place, from [`crate::snippet()`].
    pub excerpt: Option<&'a str>,
    /// The choices that decided it, in order, each with its place.
    pub path: &'a [String],
    /// The command that looks at it more closely.
    pub debug: &'a str,
    /// The command that keeps it as a test, from [`keep_command`].
    pub keep: &'a str,
    /// What the case looks like to those who wrote the subject, where a front end knows.
    pub picture: Option<&'a dyn Picture>,
    pub terminal: Terminal,
}

/// A finding as JSON: what the store has of it, the bytes of its inputs, and its memory graph.
#[derive(Serialize)]
pub struct FindingJson<'a> {
    pub schema: u32,
    pub campaign: &'a Path,
    #[serde(flatten)]
    pub finding: &'a Finding,
    /// The bytes of each input, two hexadecimal digits each.
    pub inputs: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphJson<'a>>,
    /// The call that the case is, in the subject's language, where it can be written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

impl<'a> FindingJson<'a> {
    pub fn new(campaign: &'a Path, finding: &'a Finding, case: &'a Case) -> FindingJson<'a> {
        let inputs = case.inputs.iter();
        FindingJson {
            schema: 1,
            campaign,
            finding,
            inputs: inputs
                .map(|(name, bytes)| (name.as_str(), hex::digits(bytes)))
                .collect(),
            graph: None,
            call: None,
        }
    }
}

impl FindingView<'_> {
    /// A few lines: what, where, with which input, and what to do about it.
    pub fn short(&self) -> String {
        let mut out = self.title();
        if let Some(picture) = self.picture {
            self.draw(picture, &mut out);
        }
        if let Some(case) = self.case.filter(|_| !self.shows_inputs()) {
            // A standard input that nothing reads says nothing beside others.
            let telling = |(_, bytes): &(&String, &Vec<u8>)| !bytes.is_empty();
            let mut inputs: Vec<_> = case.inputs.iter().filter(telling).collect();
            if inputs.is_empty() {
                inputs.extend(case.inputs.iter());
            }
            for (index, (name, bytes)) in inputs.iter().take(SHORT_LIST).enumerate() {
                let value = format!(
                    "{} ({}): {}",
                    escape::text(name),
                    numbers::bytes(bytes.len() as u64),
                    hex::short(bytes)
                );
                field(&mut out, if index == 0 { "input" } else { "" }, &value);
            }
            let more = inputs.len().saturating_sub(SHORT_LIST);
            if more > 0 {
                field(&mut out, "", &format!("and {more} more inputs"));
            }
            if inputs.is_empty() {
                field(&mut out, "input", "none");
            }
        }
        self.ending(&mut out);
        out
    }

    /// Everything: place in source, stack, and all inputs in full, or the picture of them.
    pub fn long(&self) -> String {
        let mut out = self.title();
        if let Some(excerpt) = self.excerpt {
            out.push('\n');
            for line in excerpt.lines() {
                let _ = writeln!(out, "     {line}");
            }
        }
        if !self.path.is_empty() {
            let _ = writeln!(out, "\n     {}", paint(HEADING, "path"));
            for (number, choice) in (1..).zip(self.path) {
                let _ = writeln!(out, "     {number:>2}. {choice}");
            }
        }
        if !self.finding.stack.is_empty() {
            let _ = writeln!(out, "\n     {}", paint(HEADING, "stack"));
            for (index, frame) in self.finding.stack.iter().take(LONG_LIST).enumerate() {
                let at = location(frame);
                let at = match frame.is_library() {
                    true => paint(DIM, at),
                    false => at,
                };
                let _ = writeln!(out, "     #{index:<3} {at}");
            }
            let more = self.finding.stack.len().saturating_sub(LONG_LIST);
            if more > 0 {
                let _ = writeln!(out, "     ... {more} more frames");
            }
        }
        if let Some(picture) = self.picture {
            let _ = writeln!(out, "\n     {}", paint(HEADING, picture.heading()));
            self.draw(picture, &mut out);
        }
        if let Some(case) = self.case.filter(|_| !self.shows_inputs()) {
            for (name, bytes) in &case.inputs {
                let heading = format!("input {}", escape::text(name));
                let size = numbers::bytes(bytes.len() as u64);
                let _ = writeln!(out, "\n     {} ({size})", paint(HEADING, heading));
                for line in hex::dump(bytes, DUMP).lines() {
                    let _ = writeln!(out, "     {line}");
                }
            }
        }
        out.push('\n');
        self.ending(&mut out);
        out
    }

    /// Does a picture say what the bytes of the inputs would?
    fn shows_inputs(&self) -> bool {
        self.picture.is_some_and(Picture::shows_inputs)
    }

    fn draw(&self, picture: &dyn Picture, out: &mut String) {
        let terminal = Terminal {
            width: self.terminal.width.saturating_sub(5),
            ..self.terminal
        };
        for line in picture.text(terminal).lines() {
            let _ = writeln!(out, "     {line}");
        }
    }

    fn title(&self) -> String {
        let finding = self.finding;
        let mut out = format!(
            "{:>3}  {}  {}\n",
            finding.id,
            paint(BAD, escape::text(&finding.kind)),
            place(&finding.file, finding.line, &finding.function)
        );
        let _ = writeln!(out, "     {}", escape::text(&finding.message));
        out
    }

    fn ending(&self, out: &mut String) {
        let scheduled = self.case.is_some_and(|case| !case.schedule.is_empty());
        let confirmed = match self.finding.confirmed {
            true if scheduled => "yes: the same schedule of threads fails again".to_string(),
            true => "yes: the uninstrumented build fails in the same way".to_string(),
            false => {
                let why = match self.finding.note.as_str() {
                    "" => "the uninstrumented build did not fail in this way".to_string(),
                    note => escape::text(note),
                };
                paint(WARN, format!("no: {why}"))
            }
        };
        field(out, "confirmed", &confirmed);
        if let Some(words) = fatal(self.finding) {
            field(out, "fatal", &words);
        }
        if self.finding.runs > 1 {
            let runs = numbers::plural(self.finding.runs, "run", "runs");
            field(out, "seen in", &runs);
        }
        let replay = replay_command(self.folder, "");
        field(out, "reproduce", &paint(NAME, &replay));
        field(out, "debug", &paint(NAME, escape::text(self.debug)));
        field(out, "keep", &paint(NAME, self.keep));
    }
}

/// Whether executions that have a data race fail.
pub(crate) fn fatal(finding: &Finding) -> Option<String> {
    let race = finding.race.as_ref()?;
    let executions = numbers::plural(race.executions, "execution", "executions");
    Some(match (race.failed, race.failure) {
        (0, _) => format!("no failure in {executions} that have it"),
        (failed, Some(id)) => format!(
            "yes: {} of {executions} that have it fail, the first is finding {id}",
            numbers::count(failed)
        ),
        (failed, None) => format!(
            "yes: {} of {executions} that have it fail",
            numbers::count(failed)
        ),
    })
}

/// The command that shows a finding's case fail; with a flag, in whatever the flag means.
pub fn replay_command(folder: &str, flag: &str) -> String {
    let command = format!("elsewise replay {} {flag}", file_word(folder));
    command.trim_end().to_string()
}

/// The command that keeps a finding as a test: a function's cases are exported as tests, into the
/// folder that its language has for them, one of a program has a script that runs it.
pub fn keep_command(campaign: &str, folder: &str, tests: Option<&str>) -> String {
    match tests {
        Some(tests) => format!("elsewise export {} --out {tests}", file_word(campaign)),
        None => format!("elsewise keep {}", file_word(folder)),
    }
}

/// One line for each finding.
pub fn findings_list(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let _ = writeln!(
            out,
            "{:>3}  {}  {}  {}",
            finding.id,
            paint(BAD, escape::text(&finding.kind)),
            place(&finding.file, finding.line, &finding.function),
            paint(DIM, escape::text(&finding.message))
        );
    }
    out
}

/// A finding in one line: what it is, where, and what it says.
pub fn finding_line(finding: &Finding) -> String {
    let place = place(&finding.file, finding.line, &finding.function);
    let kind = paint(BAD, escape::text(&finding.kind));
    let message = escape::text(&finding.message);
    match message.is_empty() {
        true => format!("{kind} at {place}"),
        false => format!("{kind} at {place}: {message}"),
    }
}

/// What went wrong, without where.
pub(crate) fn what(finding: &Finding) -> String {
    let (kind, message) = (&finding.kind, &finding.message);
    match message.as_str() {
        "" => kind.clone(),
        // `assertion failed: …` says what it is.
        message if message.starts_with(kind.as_str()) => message.to_owned(),
        message => format!("{kind}: {message}"),
    }
}

/// `file:line in function`, as much of it as is known.
pub(crate) fn place(file: &str, line: u32, function: &str) -> String {
    let file = escape::text(file);
    let function = escape::text(&names::readable(function));
    let mut out = match (file.as_str(), line) {
        ("", _) => String::new(),
        (file, 0) => file.to_string(),
        (file, line) => format!("{file}:{line}"),
    };
    if !function.is_empty() {
        out.push_str(if out.is_empty() { "in " } else { " in " });
        out.push_str(&function);
    }
    if out.is_empty() {
        out.push_str("at a place that is not known");
    }
    out
}

fn location(frame: &Frame) -> String {
    place(&frame.file, frame.line, &frame.function)
}

fn field(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "     {name:<10} {value}");
}

/// The name of a file as one word of a command: one that begins with a dash is no option.
pub(crate) fn file_word(name: &str) -> String {
    match name.starts_with('-') {
        true => shell_word(&format!("./{name}")),
        false => shell_word(name),
    }
}

/// `text` as one word of a shell: the lines shown are there to be copied.
pub(crate) fn shell_word(text: &str) -> String {
    let safe = |char: char| char.is_ascii_alphanumeric() || "_-./+=:,@%".contains(char);
    if !text.is_empty() && text.chars().all(safe) {
        return text.to_string();
    }
    if escape::text(text) != text {
        return escaped_word(text);
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A word with what cannot be shown as it is. Most shells know this form; octal numbers have an end.
fn escaped_word(text: &str) -> String {
    let mut out = String::from("$'");
    for char in text.chars() {
        let shown = char.to_string();
        match char {
            '\'' | '\\' => {
                out.push('\\');
                out.push(char);
            }
            _ if escape::text(&shown) == shown => out.push(char),
            _ => {
                for byte in shown.bytes() {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GraphPicture;
    use crate::graph::samples as graphs;
    use crate::samples;

    #[test]
    fn whether_a_race_matters() {
        let (mut finding, _) = samples::finding();
        assert_eq!(fatal(&finding), None);
        let mut told = |executions, failed, failure| {
            finding.race = Some(elsewise_campaign::RaceSeen {
                executions,
                failed,
                failure,
            });
            fatal(&finding).unwrap()
        };
        assert_eq!(
            told(1200, 0, None),
            "no failure in 1,200 executions that have it"
        );
        assert_eq!(
            told(4, 1, Some(2)),
            "yes: 1 of 4 executions that have it fail, the first is finding 2"
        );
    }

    #[test]
    fn short_view() {
        let (finding, case) = samples::finding();
        let view = FindingView {
            finding: &finding,
            case: Some(&case),
            folder: "bst.elsewise/findings/1",
            debug: &replay_command("bst.elsewise/findings/1", "--gdb"),
            keep: "elsewise keep findings/1",
            excerpt: None,
            path: &[],
            picture: None,
            terminal: Terminal::default(),
        };
        samples::snapshot("finding_short", &view.short());
    }

    #[test]
    fn long_view() {
        let (finding, case) = samples::finding();
        let source: String = (1..=60).map(|n| format!("    statement({n});\n")).collect();
        let remarks = [crate::Remark {
            file: finding.file.clone(),
            line: finding.line,
            column: 0,
            words: finding.message.clone(),
            failure: true,
        }];
        let excerpt = crate::snippet(&remarks, &|_| Some(source.clone()), Terminal::default());
        let view = FindingView {
            finding: &finding,
            case: Some(&case),
            folder: "my tree's.elsewise/findings/1",
            debug: &replay_command("my tree's.elsewise/findings/1", "--gdb"),
            keep: "elsewise keep findings/1",
            excerpt: excerpt.as_deref(),
            path: &[
                "bst.c:12  root != NULL: true".into(),
                "bst.c:20  case 2".into(),
            ],
            picture: None,
            terminal: Terminal::default(),
        };
        samples::snapshot("finding_long", &view.long());
    }

    #[test]
    fn hostile_names_stay_harmless() {
        let (finding, case) = samples::hostile();
        let view = FindingView {
            finding: &finding,
            case: Some(&case),
            folder: "x.elsewise/findings/7",
            debug: &replay_command("x.elsewise/findings/7", "--gdb"),
            keep: "elsewise keep findings/1",
            excerpt: None,
            path: &[],
            picture: None,
            terminal: Terminal::default(),
        };
        let plain = samples::plain(&view.short());
        assert!(!plain.chars().any(|char| char.is_control() && char != '\n'));
        samples::snapshot("finding_hostile", &view.short());
    }

    #[test]
    fn with_a_memory_graph() {
        let (finding, case) = samples::finding();
        let graph = graphs::freed();
        let picture = GraphPicture {
            graph: &graph,
            title: "check",
        };
        let view = FindingView {
            finding: &finding,
            case: Some(&case),
            folder: "bst.elsewise/findings/1",
            debug: &replay_command("bst.elsewise/findings/1", "--gdb"),
            keep: "elsewise keep findings/1",
            excerpt: None,
            path: &[],
            picture: Some(&picture),
            terminal: Terminal::default(),
        };
        let both = format!("{}\n{}", view.short(), view.long());
        samples::snapshot("finding_graph", &both);
        let mut json = FindingJson::new(Path::new("bst.elsewise"), &finding, &case);
        let bare = serde_json::to_value(&json).unwrap();
        assert_eq!(bare.get("graph"), None);
        assert_eq!(bare["inputs"]["stdin"], "0100000002000000474f210affffffff");
        json.graph = Some(GraphJson(&graph));
        let value = serde_json::to_value(&json).unwrap();
        assert_eq!(value["graph"]["objects"][1]["freed"], true);
    }

    #[test]
    fn list_of_findings() {
        let findings = [samples::finding().0, samples::hostile().0];
        samples::snapshot("finding_list", &findings_list(&findings));
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(shell_word("a/b-1.elsewise"), "a/b-1.elsewise");
        assert_eq!(file_word("a/b-1.elsewise"), "a/b-1.elsewise");
        assert_eq!(file_word("-rf.elsewise"), "./-rf.elsewise");
        assert_eq!(file_word("-a b"), "'./-a b'");
        assert_eq!(shell_word("it's here"), r"'it'\''s here'");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("a;b"), "'a;b'");
        assert_eq!(shell_word("a\tb'c\\\u{1b}1"), r"$'a\011b\'c\\\0331'");
        assert_eq!(shell_word("ä\u{202e} \n"), r"$'ä\342\200\256 \012'");
    }
}
