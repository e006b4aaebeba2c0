//! What a finding of a function, of a sequence of calls, of threads, or of a predicate is shown with.

use crate::sources::{Quoted, Sources};
use elsewise_campaign::{Finding, Survey, read_story};
use elsewise_explore::{Case, StoryKind, StoryLine};
use elsewise_graph::{Behaviour, Derivation, Graph, Messages};
use elsewise_report::{
    CallsPicture, DerivationPicture, GraphPicture, MessagesPicture, Move, MoveLine, Picture,
    SchedulePicture, Terminal, moves,
};
use std::collections::BTreeMap;
use std::path::Path;

/// What a finding is shown with beside its words; nothing for that of a program with one thread.
pub struct FindingPicture {
    graph: Option<Graph>,
    /// For a sequence.
    calls: Option<Behaviour>,
    /// For threads: what they are called, and what they did.
    schedule: Option<(Vec<String>, Vec<MoveLine>)>,
    /// For a predicate: which goal called which.
    derivation: Option<Derivation>,
    /// For a model: what it was given, and what came of it.
    messages: Option<Messages>,
    heading: &'static str,
    title: String,
}

/// Is there anything to show that only the whole campaign tells?
pub fn needs_survey<'a>(mut cases: impl Iterator<Item = &'a Case>) -> bool {
    cases.any(|case| !case.schedule.is_empty())
}

impl FindingPicture {
    pub fn new(
        finding: &Finding,
        case: Option<&Case>,
        survey: Option<&Survey>,
        mover: &dyn Fn(u32) -> String,
    ) -> FindingPicture {
        let threads = case.is_some_and(|case| !case.schedule.is_empty());
        FindingPicture {
            graph: None,
            calls: None,
            schedule: match threads {
                true => schedule(survey, finding, mover),
                false => None,
            },
            derivation: None,
            messages: None,
            heading: match is_history(finding) {
                true => "calls",
                false => "schedule",
            },
            title: format!("{}, finding {}", finding.function, finding.id),
        }
    }

    /// With the memory graph that a function was given, and the calls that begin with it if those are many.
    pub fn with_graph(mut self, graph: Option<Graph>, calls: Option<Behaviour>) -> FindingPicture {
        self.graph = graph;
        self.calls = calls;
        self
    }

    /// With a call that can be written down, whatever else there is to show.
    pub fn with_call(mut self, call: Option<Behaviour>) -> FindingPicture {
        if call.is_some() {
            self.graph = Some(Graph::default());
            self.calls = call;
        }
        self
    }

    pub fn with_derivation(mut self, derivation: Option<Derivation>) -> FindingPicture {
        self.derivation = derivation;
        self
    }

    pub fn with_messages(mut self, messages: Option<Messages>) -> FindingPicture {
        self.messages = messages;
        self
    }

    pub fn picture(&self) -> Option<Box<dyn Picture + '_>> {
        if let Some((threads, moves)) = &self.schedule {
            let heading = self.heading;
            let schedule = SchedulePicture {
                threads,
                moves,
                heading,
            };
            return Some(match (&self.calls, &self.graph) {
                (Some(behaviour), Some(graph)) => Box::new(Detailed {
                    call: CallsPicture { behaviour, graph },
                    details: schedule,
                    heading: "call and schedule",
                }),
                _ => Box::new(schedule),
            });
        }
        if let Some(messages) = &self.messages {
            return Some(Box::new(MessagesPicture { messages }));
        }
        let graph = self.graph.as_ref()?;
        Some(match (&self.calls, &self.derivation) {
            (Some(behaviour), Some(derivation)) => Box::new(Detailed {
                call: CallsPicture { behaviour, graph },
                details: DerivationPicture { derivation },
                heading: "call and derivation",
            }),
            (Some(behaviour), None) => Box::new(CallsPicture { behaviour, graph }),
            (None, _) => Box::new(GraphPicture {
                graph,
                title: &self.title,
            }),
        })
    }
}

/// A call, and what happened in it: the turns of its processes, or its derivation.
struct Detailed<'a, P> {
    call: CallsPicture<'a>,
    details: P,
    heading: &'static str,
}

impl<P: Picture> Picture for Detailed<'_, P> {
    fn heading(&self) -> &'static str {
        self.heading
    }

    fn text(&self, terminal: Terminal) -> String {
        let (call, details) = (self.call.text(terminal), self.details.text(terminal));
        format!("{call}{details}")
    }

    /// The details alone: a call is a line of text.
    fn svg(&self) -> String {
        self.details.svg()
    }
}

/// Is it about the results of calls, not about what led to them?
fn is_history(finding: &Finding) -> bool {
    finding.kind == "linearizability"
}

/// What the threads of a finding's run did, with the source as it is now.
fn schedule(
    survey: Option<&Survey>,
    finding: &Finding,
    mover: &dyn Fn(u32) -> String,
) -> Option<(Vec<String>, Vec<MoveLine>)> {
    let mut story = read_story(&finding.path);
    if story.is_empty() {
        // Of a campaign of an earlier version.
        story = told(survey?, finding);
    }
    // Of what was called and what came back, no more is to be known than that.
    let history = is_history(finding);
    story.retain(|one| (one.kind == StoryKind::Call) == history);
    let mut names: Vec<u32> = story.iter().map(|one| one.thread).collect();
    names.sort_unstable();
    names.dedup();
    // <campaign>/findings/<number>
    let campaign = finding.path.parent().and_then(Path::parent);
    let quotes = Sources::of(campaign.unwrap_or(&finding.path));
    let mut sources: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut line = |one| {
        let one: &StoryLine = one;
        let at = &one.place;
        let (mut place, mut source) = (String::new(), None);
        if at.line > 0 && !at.file.is_empty() && !history {
            let lines = sources.entry(&at.file).or_insert_with(|| {
                let text = match quotes.quote(&at.file) {
                    Quoted::Text(text, _) => text,
                    Quoted::Withheld | Quoted::Gone => String::new(),
                };
                text.lines().map(|line| line.trim().to_string()).collect()
            });
            let file = Path::new(&at.file).file_name().unwrap_or_default();
            place = format!("{}:{}", file.to_string_lossy(), at.line);
            source = lines.get(at.line as usize - 1).cloned();
        }
        MoveLine {
            thread: names.binary_search(&one.thread).unwrap_or_default(),
            place,
            source: source.unwrap_or_default(),
            note: one.note.clone(),
            waits: match one.kind {
                StoryKind::Wait(other) => {
                    Some(other.and_then(|other| names.binary_search(&other).ok()))
                }
                _ => None,
            },
        }
    };
    let lines: Vec<MoveLine> = story.iter().map(&mut line).collect();
    let titles = names.into_iter().map(mover).collect();
    (!lines.is_empty()).then_some((titles, lines))
}

/// The same from the tree, which does not know where a thread stands that begins.
fn told(survey: &Survey, finding: &Finding) -> Vec<StoryLine> {
    let line = |one: Move| {
        let site = one.site.and_then(|site| survey.sites.get(site.0 as usize));
        StoryLine {
            kind: StoryKind::Move,
            thread: one.thread,
            place: site.map(|site| site.location.clone()).unwrap_or_default(),
            note: String::new(),
        }
    };
    moves(survey, finding.case).into_iter().map(line).collect()
}
