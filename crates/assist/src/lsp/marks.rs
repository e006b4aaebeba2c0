//! What campaigns have to say of a file, put where its lines are now: findings as diagnostics, branches, and what stands
//! in a hover.

use super::documents::{self, Documents};
use super::lines::LineMap;
use super::view::{Mark, Place, View};
use elsewise_report::Fate;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Severities of diagnostics.
const ERROR: u8 = 1;
const WARNING: u8 = 2;
const HINT: u8 = 4;
/// Places of a stack that are shown beside its first.
const RELATED: usize = 16;
/// The tag that lets editors fade what is marked.
const UNNECESSARY: u8 = 1;

/// A finding where it shows now.
pub struct Placed<'a> {
    pub view: &'a View,
    pub mark: &'a Mark,
    pub place: &'a Place,
    pub line: usize,
    /// The line is no longer what it was when the program failed there.
    pub stale: bool,
}

/// Findings that show in a file, which has this text now.
pub fn findings<'a>(views: &'a [&'a View], file: &Path, text: &str) -> Vec<Placed<'a>> {
    let mut found = Vec::new();
    let last = text.lines().count().saturating_sub(1);
    for view in views {
        let mut map = None;
        for mark in &view.findings {
            let known = |place: &'a Place| place.file.as_deref().map(|file| (place, file));
            let Some((place, at)) = mark.stack.iter().find_map(known) else {
                continue;
            };
            if at != file {
                continue;
            }
            let map = map.get_or_insert_with(|| {
                let explored = view.explored.get(file);
                explored.map(|explored| LineMap::new(explored, text))
            });
            let now = match map {
                Some(map) => map.now(place.line),
                None => (place.line <= last).then_some(place.line),
            };
            found.push(Placed {
                line: now.unwrap_or(place.line.min(last)),
                stale: now.is_none(),
                view,
                mark,
                place,
            });
        }
    }
    found.sort_by_key(|placed| (placed.line, placed.mark.id));
    found
}

/// Files in which findings of these campaigns show.
pub fn files<'a>(views: &'a [&'a View]) -> impl Iterator<Item = &'a Path> {
    let marks = views.iter().flat_map(|view| &view.findings);
    marks.filter_map(|mark| mark.stack.iter().find_map(|place| place.file.as_deref()))
}

pub fn diagnostic(placed: &Placed, text: &str, documents: &Documents) -> Value {
    let Placed { view, mark, .. } = placed;
    let mut message = mark.message.clone();
    for input in mark.input.iter().take(4) {
        message.push_str(&format!("\n{input}"));
    }
    if placed.stale {
        message.push_str("\n(the line has changed since it was found)");
    }
    if view.stranger {
        message.push_str("\n(from a campaign that was not made here by you, or was changed since)");
    }
    let severity = match () {
        () if placed.stale => HINT,
        () if view.stranger => WARNING,
        () => ERROR,
    };
    let column = if placed.stale { 0 } else { placed.place.column };
    let related = mark.stack.iter().take(RELATED).filter_map(|place| {
        let file = place.file.as_deref()?;
        if std::ptr::eq(place, placed.place) {
            return None;
        }
        let text = documents.text(file).unwrap_or_default();
        let map = view.explored.get(file).map(|old| LineMap::new(old, &text));
        let line = map.map_or(Some(place.line), |map| map.now(place.line))?;
        Some(json!({
            "location": {
                "uri": documents.uri(file),
                "range": documents::range(&text, line, place.column),
            },
            "message": format!("in {}", place.function),
        }))
    });
    let mut diagnostic = json!({
        "range": documents::range(text, placed.line, column),
        "severity": severity,
        "code": mark.kind,
        "source": "elsewise",
        "message": message,
        "relatedInformation": related.collect::<Vec<_>>(),
        "data": {
            "campaign": documents::uri_of(&view.folder),
            "finding": mark.id,
        },
    });
    if placed.stale {
        diagnostic["tags"] = json!([UNNECESSARY]);
    }
    diagnostic
}

/// What became of a side, over all campaigns that know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Reached,
    /// Proved so, within the bounds, for the program as it is now.
    Unreachable,
    Open,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Reached => "reached",
            State::Unreachable => "unreachable",
            State::Open => "open",
        }
    }
}

pub struct SideNow {
    pub name: String,
    pub state: State,
    pub why: String,
}

/// A choice where it stands now.
pub struct BranchNow {
    pub line: usize,
    pub column: u32,
    pub sides: Vec<SideNow>,
}

/// How a line, or a choice, stands as a whole, in words that clients of the protocol know.
pub fn word(sides: &[&SideNow]) -> &'static str {
    let any = |state| sides.iter().any(|side| side.state == state);
    match (
        any(State::Open),
        any(State::Reached),
        any(State::Unreachable),
    ) {
        (true, true, _) => "one",
        (true, false, _) => "open",
        (false, _, true) => "unreachable",
        (false, ..) => "both",
    }
}

/// Choices of a file, which has this text now. What one campaign has not reached, another may have; and a side is
/// unreachable only if all say so that know it, of the sources as they are.
pub fn branches(views: &[&View], file: &Path, text: &str) -> Vec<BranchNow> {
    /// A line, a column, and which of the choices there.
    type Key = (usize, u32, usize);
    let mut found: BTreeMap<Key, Vec<SideNow>> = BTreeMap::new();
    for view in views {
        let Some(branches) = view.branches.get(file) else {
            continue;
        };
        let map = view.explored.get(file).map(|old| LineMap::new(old, text));
        let outdated = view.outdated || map.as_ref().is_none_or(|map| !map.same);
        let mut nth = 0;
        let mut before = None;
        for branch in branches {
            let here = Some((branch.line, branch.column));
            nth = if here == before { nth + 1 } else { 0 };
            before = here;
            let line = match &map {
                Some(map) => map.now(branch.line),
                None => Some(branch.line),
            };
            let Some(line) = line else {
                continue;
            };
            let sides = found.entry((line, branch.column, nth)).or_default();
            for side in &branch.sides {
                let (state, why) = match side.fate {
                    Fate::Covered => (State::Reached, ""),
                    Fate::Unreachable if view.stranger => (
                        State::Open,
                        "a campaign that was not made here says that it is unreachable",
                    ),
                    Fate::Unreachable if outdated => (
                        State::Open,
                        "it was unreachable before the sources were changed",
                    ),
                    Fate::Unreachable => (State::Unreachable, side.why.as_str()),
                    Fate::Missed | Fate::Far => (State::Open, side.why.as_str()),
                };
                add(sides, &side.name, state, why);
            }
        }
    }
    let branches = found.into_iter();
    let branches = branches.map(|((line, column, _), sides)| BranchNow {
        line,
        column,
        sides,
    });
    branches.collect()
}

/// Reached by one is reached; open to one that nobody has reached is open.
fn add(sides: &mut Vec<SideNow>, name: &str, state: State, why: &str) {
    let Some(known) = sides.iter_mut().find(|side| side.name == name) else {
        sides.push(SideNow {
            name: name.to_string(),
            state,
            why: why.to_string(),
        });
        return;
    };
    let wins = match (known.state, state) {
        (State::Reached, _) => false,
        (_, State::Reached) => true,
        (State::Unreachable, State::Open) => true,
        _ => false,
    };
    if wins {
        known.state = state;
        known.why = why.to_string();
    }
}

/// Lines with choices, each with all of its choices.
pub fn lines(branches: &[BranchNow]) -> Vec<&[BranchNow]> {
    branches
        .chunk_by(|one, other| one.line == other.line)
        .collect()
}

/// Lines as `elsewise/branches` gives them.
pub fn lines_json(branches: &[BranchNow]) -> Value {
    let lines = lines(branches);
    let lines = lines.into_iter().map(|of_line| {
        let all: Vec<&SideNow> = of_line.iter().flat_map(|branch| &branch.sides).collect();
        let places = of_line.iter().map(|branch| {
            let sides = branch.sides.iter().map(
                |side| json!({ "name": side.name, "state": side.state.word(), "why": side.why }),
            );
            json!({ "column": branch.column, "sides": sides.collect::<Vec<_>>() })
        });
        json!({
            "line": of_line[0].line,
            "state": word(&all),
            "places": places.collect::<Vec<_>>(),
        })
    });
    Value::Array(lines.collect())
}

/// What is said at the end of lines on which something was not reached.
pub fn hints(branches: &[BranchNow], text: &str) -> Vec<Value> {
    let mut hints = Vec::new();
    for of_line in lines(branches) {
        let sides = of_line.iter().flat_map(|branch| &branch.sides);
        let missed: Vec<&SideNow> = sides.filter(|side| side.state != State::Reached).collect();
        if missed.is_empty() {
            continue;
        }
        let words: Vec<String> = missed
            .iter()
            .take(4)
            .map(|side| format!("{}: {}", side.name, side.state.word()))
            .collect();
        let more = if missed.len() > words.len() {
            ", …"
        } else {
            ""
        };
        let why: Vec<String> = missed
            .iter()
            .map(|side| format!("{}: {}", side.name, side.why))
            .collect();
        hints.push(json!({
            "position": documents::range(text, of_line[0].line, 0)["end"],
            "label": format!("{}{more}", words.join(", ")),
            "tooltip": why.join("\n"),
            "paddingLeft": true,
        }));
    }
    hints
}

/// What is known of a line, in Markdown; none if that is nothing.
pub fn hover(placed: &[Placed], branches: &[BranchNow], line: usize) -> Option<String> {
    let mut parts = Vec::new();
    for one in placed.iter().filter(|one| one.line == line) {
        let mut part = format!("**{}**", markdown(&one.mark.message));
        for input in &one.mark.input {
            part.push_str(&format!("  \n{}", markdown(input)));
        }
        if one.stale {
            part.push_str("  \n_the line has changed since it was found_");
        }
        if one.view.stranger {
            part.push_str("  \n_the campaign was not made here by you, or was changed since_");
        }
        let functions: Vec<String> = one.mark.stack.iter().map(called).collect();
        part.push_str(&format!("\n\n{}", functions.join("  \n")));
        part.push_str(&format!(
            "\n\nreproduce: {}",
            markdown(&one.view.replay(one.mark.id))
        ));
        parts.push(part);
    }
    let here = branches.iter().filter(|branch| branch.line == line);
    let sides: Vec<&SideNow> = here.flat_map(|branch| &branch.sides).collect();
    let missed: Vec<String> = sides
        .iter()
        .filter(|side| side.state != State::Reached)
        .map(|side| {
            let (name, state, why) = (markdown(&side.name), side.state.word(), &side.why);
            format!("- {name}: {state} ({})", markdown(why))
        })
        .collect();
    match missed.is_empty() {
        true if sides.is_empty() => {}
        true => parts.push("all sides of the branches in this line were reached".into()),
        false => parts.push(missed.join("\n")),
    }
    (!parts.is_empty()).then(|| parts.join("\n\n---\n\n"))
}

fn called(place: &Place) -> String {
    let name = place.name.rsplit('/').next().unwrap_or_default();
    markdown(&format!("{} at {name}:{}", place.function, place.line + 1))
}

/// Text as Markdown that shows it and does nothing else.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii_punctuation() {
            out.push('\\');
        }
        match char {
            '\n' | '\r' => out.push(' '),
            char => out.push(char),
        }
    }
    out
}

/// Diagnostics of a file.
pub fn diagnostics(views: &[&View], file: &Path, text: &str, documents: &Documents) -> Vec<Value> {
    let placed = findings(views, file, text);
    placed
        .iter()
        .map(|placed| diagnostic(placed, text, documents))
        .collect()
}

/// Campaigns that have something to say of a file.
pub fn about<'a>(views: &[&'a View], file: &Path) -> Vec<&'a PathBuf> {
    let about = views.iter().filter(|view| {
        let marks = || view.findings.iter().flat_map(|mark| &mark.stack);
        view.branches.contains_key(file) || marks().any(|place| place.file.as_deref() == Some(file))
    });
    about.map(|view| &view.folder).collect()
}

#[cfg(test)]
mod tests {
    use super::super::view::{Branch, Side};
    use super::*;

    const TEXT: &str = "int f(int a) {\n  if (a)\n    abort();\n}\n";

    fn view(fates: [Fate; 2]) -> View {
        let file = PathBuf::from("/w/a.c");
        let side = |name: &str, fate| Side {
            name: name.into(),
            fate,
            why: "why".into(),
        };
        View {
            folder: "/w/f.elsewise".into(),
            base: "/w".into(),
            subject: "a.c::f".into(),
            state: String::new(),
            stranger: false,
            outdated: false,
            findings: vec![Mark {
                id: 1,
                kind: "abort".into(),
                message: "abort: <script>alert(1)</script> [x](command:y)".into(),
                input: vec!["f(1)".into()],
                stack: vec![Place {
                    file: Some(file.clone()),
                    name: "a.c".into(),
                    line: 2,
                    column: 5,
                    function: "f".into(),
                }],
            }],
            branches: [(
                file.clone(),
                vec![Branch {
                    line: 1,
                    column: 7,
                    sides: vec![side("true", fates[0]), side("false", fates[1])],
                }],
            )]
            .into(),
            explored: [(file, TEXT.into())].into(),
            since: Vec::new(),
            tests: None,
        }
    }

    fn states(views: &[&View], text: &str) -> Vec<State> {
        let branches = branches(views, Path::new("/w/a.c"), text);
        let sides = branches.iter().flat_map(|branch| &branch.sides);
        sides.map(|side| side.state).collect()
    }

    #[test]
    fn unreachable_is_said_only_if_all_say_it_of_what_is_there() {
        use State::{Open, Reached, Unreachable};
        let closed = view([Fate::Covered, Fate::Unreachable]);
        let missed = view([Fate::Far, Fate::Missed]);
        let covered = view([Fate::Missed, Fate::Covered]);
        assert_eq!(states(&[&closed], TEXT), [Reached, Unreachable]);
        assert_eq!(states(&[&closed, &missed], TEXT), [Reached, Open]);
        assert_eq!(states(&[&missed, &closed], TEXT), [Reached, Open]);
        assert_eq!(states(&[&closed, &covered], TEXT), [Reached, Reached]);
        // Another line has changed: the choice is where it was, the proof is not.
        let changed = TEXT.replace("abort()", "exit(1)");
        assert_eq!(states(&[&closed], &changed), [Reached, Open]);
        let outdated = View {
            outdated: true,
            ..view([Fate::Covered, Fate::Unreachable])
        };
        assert_eq!(states(&[&outdated], TEXT), [Reached, Open]);
        let stranger = View {
            stranger: true,
            ..view([Fate::Covered, Fate::Unreachable])
        };
        assert_eq!(states(&[&stranger], TEXT), [Reached, Open]);
        let gone = TEXT.replace("if (a)", "if (b)");
        assert_eq!(states(&[&closed], &gone), []);
    }

    #[test]
    fn a_finding_moves_with_its_line_and_is_stale_without_it() {
        let view = view([Fate::Covered, Fate::Covered]);
        let views = [&view];
        let at = |text: &str| {
            let found = findings(&views, Path::new("/w/a.c"), text);
            found
                .iter()
                .map(|one| (one.line, one.stale))
                .collect::<Vec<_>>()
        };
        assert_eq!(at(TEXT), [(2, false)]);
        assert_eq!(at(&format!("\n\n{TEXT}")), [(4, false)]);
        assert_eq!(at(&TEXT.replace("abort", "exit")), [(2, true)]);
        assert_eq!(at(""), [(0, true)]);
        let documents = Documents::default();
        let stale = TEXT.replace("abort", "exit");
        let diagnostics = diagnostics(&views, Path::new("/w/a.c"), &stale, &documents);
        assert_eq!(diagnostics[0]["severity"], json!(HINT));
    }

    #[test]
    fn messages_do_nothing_in_a_hover() {
        let view = view([Fate::Covered, Fate::Missed]);
        let views = [&view];
        let placed = findings(&views, Path::new("/w/a.c"), TEXT);
        let shown = hover(&placed, &branches(&views, Path::new("/w/a.c"), TEXT), 2).unwrap();
        assert!(
            shown.contains("\\<script\\>alert\\(1\\)\\<\\/script\\>"),
            "{shown}"
        );
        assert!(shown.contains("\\[x\\]\\(command\\:y\\)"), "{shown}");
        assert_eq!(markdown("a\nb`"), "a b\\`");
    }
}
