//! What a finding of a function, of a sequence of calls, or of threads is shown with.

use crate::behaviours::Function;
use elsewise_campaign::{Finding, Survey};
use elsewise_explore::Case;
use elsewise_graph::{Behaviour, Graph};
use elsewise_native::thread_title;
use elsewise_report::{
    CallsPicture, GraphPicture, Move, MoveLine, Picture, SchedulePicture, moves,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Nothing for the finding of a program with one thread.
pub struct Shown {
    graph: Option<Graph>,
    /// For a sequence.
    calls: Option<Behaviour>,
    /// For threads: what they are called, and what they did.
    schedule: Option<(Vec<String>, Vec<MoveLine>)>,
    title: String,
}

/// Is there anything to show that only the whole campaign tells?
pub fn needs_survey<'a>(mut cases: impl Iterator<Item = &'a Case>) -> bool {
    cases.any(|case| !case.schedule.is_empty())
}

impl Shown {
    pub fn new(
        function: Option<&Function>,
        finding: &Finding,
        case: Option<&Case>,
        survey: Option<&Survey>,
    ) -> Shown {
        let both = function.zip(case);
        let threads = case.is_some_and(|case| !case.schedule.is_empty());
        Shown {
            graph: both.map(|(function, case)| function.graph(case)),
            calls: both
                .filter(|(function, _)| function.is_sequence())
                .map(|(function, case)| function.failing(case, finding)),
            schedule: survey
                .filter(|_| threads)
                .and_then(|survey| schedule(survey, finding)),
            title: format!("{}, finding {}", finding.function, finding.id),
        }
    }

    pub fn picture(&self) -> Option<Box<dyn Picture + '_>> {
        if let Some((threads, moves)) = &self.schedule {
            return Some(Box::new(SchedulePicture { threads, moves }));
        }
        let graph = self.graph.as_ref()?;
        Some(match &self.calls {
            Some(behaviour) => Box::new(CallsPicture { behaviour, graph }),
            None => Box::new(GraphPicture {
                graph,
                title: &self.title,
            }),
        })
    }
}

/// What the threads of a finding's run did, with the source as it is now.
fn schedule(survey: &Survey, finding: &Finding) -> Option<(Vec<String>, Vec<MoveLine>)> {
    let moves = moves(survey, finding.case);
    let mut names: Vec<u32> = moves.iter().map(|one| one.thread).collect();
    names.sort_unstable();
    names.dedup();
    let mut sources: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut line = |one: &Move| {
        let site = one.site.and_then(|site| survey.sites.get(site.0 as usize));
        let at = site
            .map(|site| &site.location)
            .filter(|at| at.line > 0 && !at.file.is_empty());
        let mut out = MoveLine {
            thread: names.binary_search(&one.thread).unwrap_or_default(),
            place: String::new(),
            source: String::new(),
        };
        if let Some(at) = at {
            let lines = sources.entry(&at.file).or_insert_with(|| {
                let text = fs::read_to_string(&at.file).unwrap_or_default();
                text.lines().map(|line| line.trim().to_string()).collect()
            });
            let file = Path::new(&at.file).file_name().unwrap_or_default();
            out.place = format!("{}:{}", file.to_string_lossy(), at.line);
            let source = lines.get(at.line as usize - 1);
            out.source = source.cloned().unwrap_or_default();
        }
        out
    };
    let lines: Vec<MoveLine> = moves.iter().map(&mut line).collect();
    let titles = names.into_iter().map(thread_title).collect();
    (!lines.is_empty()).then_some((titles, lines))
}
