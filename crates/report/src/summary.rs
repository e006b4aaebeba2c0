//! The end of an exploration: findings first, then what was explored and what was not.

use crate::finding::{FindingView, place};
use crate::numbers::{count, plural, seconds};
use crate::outcome::{OutcomeView, output_text};
use crate::style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
use crate::{escape, finding, names};
use elsewise_campaign::{ApproximationPlace, Ended, Sides, Summary};
use elsewise_explore::ApproximationKind;
use std::fmt::Write;

/// Places of approximations that are shown; all of them are in the JSON and in the store.
const PLACES: usize = 5;

/// A summary with its findings' views.
pub struct SummaryView<'a> {
    pub summary: &'a Summary,
    /// One for each of the summary's findings that is to be shown.
    pub findings: Vec<FindingView<'a>>,
    /// Of a program that was to be given unknown inputs, and did the same with all of them.
    pub indifferent: Option<IndifferentView<'a>>,
    /// What to try next: commands, each with what it means.
    pub hints: Vec<(String, String)>,
}

/// What a program does on whose input nothing depends.
pub struct IndifferentView<'a> {
    /// Not there if the program could not be run once more.
    pub run: Option<OneRun<'a>>,
}

/// How a run ended, and what it wrote.
pub struct OneRun<'a> {
    pub outcome: OutcomeView<'a>,
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
}

/// The headline of a campaign whose subject did the same with every input.
pub(crate) const NOTHING_DEPENDS: &str = "nothing depends on the input";
/// The headline of one that came to its end and is not complete.
pub(crate) const NOT_COMPLETELY: &str = "explored, but not completely";

/// How much of what it wrote is shown.
const WRITTEN: usize = 600;

impl IndifferentView<'_> {
    fn write(&self, out: &mut String) {
        if let Some(run) = &self.run {
            for (name, bytes) in [("stdout", run.stdout), ("stderr", run.stderr)] {
                out.push_str(&output_text(name, &bytes[..bytes.len().min(WRITTEN)]));
            }
            let _ = writeln!(out, "{}", run.outcome.text());
        }
    }
}

impl<'a> SummaryView<'a> {
    /// Without findings or anything to try.
    pub fn new(summary: &'a Summary) -> SummaryView<'a> {
        SummaryView {
            summary,
            findings: Vec::new(),
            indifferent: None,
            hints: Vec::new(),
        }
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        match &self.indifferent {
            Some(indifferent) => {
                self.write_indifference(&mut out);
                indifferent.write(&mut out);
            }
            None => {
                self.write_findings(&mut out);
                self.write_verdict(&mut out);
            }
        }
        let summary = self.summary;
        approximations(&mut out, summary);
        self.write_hints(&mut out);
        unconfirmed(&mut out, summary);
        field(&mut out, "coverage", &coverage(summary));
        for (index, bound) in summary.bounds.iter().enumerate() {
            field(
                &mut out,
                if index == 0 { "bounds" } else { "" },
                &escape::text(bound),
            );
        }
        for (index, words) in subsumption(summary).into_iter().enumerate() {
            let name = if index == 0 { "subsumed" } else { "" };
            field(&mut out, name, &words);
        }
        if let Some(words) = schedules(summary) {
            field(&mut out, "schedules", &words);
        }
        let queries = &summary.queries;
        if summary.is_indifferent() && self.indifferent.is_none() {
            field(
                &mut out,
                "note",
                "no choice of the subject depends on its input",
            );
        }
        if queries.asked > 0 {
            field(
                &mut out,
                "solver",
                &format!(
                    "{}: {} satisfiable, {} unsatisfiable, {} unknown",
                    plural(queries.asked, "query", "queries"),
                    count(queries.sat),
                    count(queries.unsat),
                    count(queries.unknown)
                ),
            );
        }
        field(
            &mut out,
            "processor",
            &format!(
                "{} (engine {}, subject {})",
                seconds(summary.cpu_seconds),
                seconds(summary.engine_cpu_seconds),
                seconds(summary.subject_cpu_seconds)
            ),
        );
        if let Some(words) = sanitized(summary) {
            field(&mut out, "sanitizers", &words);
        }
        if summary.workers > 1 {
            let order = "the order of their runs differs each time (--jobs 1 repeats it)";
            field(
                &mut out,
                "workers",
                &format!("{}; {order}", summary.workers),
            );
        }
        let campaign = finding::shell_word(&summary.campaign.to_string_lossy());
        let more = if summary.resumed { " (continued)" } else { "" };
        if let Some(old) = &summary.rotated {
            let old = finding::shell_word(&old.to_string_lossy());
            let why = "(the older campaign: another build, other options, or --fresh)";
            field(&mut out, "previous", &format!("{} {why}", paint(NAME, old)));
        }
        field(
            &mut out,
            "campaign",
            &format!("{}{more}", paint(NAME, campaign)),
        );
        out
    }

    fn write_hints(&self, out: &mut String) {
        let width = self.hints.iter().map(|(command, _)| command.len()).max();
        for (index, (command, meaning)) in self.hints.iter().enumerate() {
            let name = if index == 0 { "try" } else { "" };
            let command = format!(
                "{:<width$}",
                escape::text(command),
                width = width.unwrap_or(0)
            );
            field(out, name, &format!("{}  {meaning}", paint(NAME, command)));
        }
    }

    fn write_indifference(&self, out: &mut String) {
        let headline = paint(WARN, NOTHING_DEPENDS);
        let runs = plural(self.summary.runs, "run", "runs");
        let time = seconds(self.summary.wall_seconds);
        let _ = writeln!(out, "{headline}: 1 path in {runs}, {time}");
        let meaning = "(the program chose nothing by what it was given, so nothing was tested)";
        let _ = writeln!(out, "  {}\n", paint(DIM, meaning));
    }

    fn write_findings(&self, out: &mut String) {
        let number = self.summary.findings.len() as u64;
        if number == 0 {
            let _ = writeln!(out, "{}\n", paint(GOOD, "no findings"));
            return;
        }
        let _ = writeln!(
            out,
            "{}\n",
            paint(BAD, plural(number, "finding", "findings"))
        );
        for view in &self.findings {
            let _ = writeln!(out, "{}", view.short());
        }
    }

    fn write_verdict(&self, out: &mut String) {
        let summary = self.summary;
        let amount = format!(
            "{} in {}, {}",
            plural(summary.paths, "path", "paths"),
            plural(summary.runs, "run", "runs"),
            seconds(summary.wall_seconds)
        );
        let _ = if summary.complete {
            let _ = writeln!(out, "{}: {amount}", paint(GOOD, "explored completely"));
            match no_failure(summary) {
                true => writeln!(out, "  no failure exists within the bounds below"),
                false => Ok(()),
            }
        } else {
            let (verdict, more) = match summary.ended {
                Ended::Budget => (
                    "the budget ended first",
                    "run the same command again to go on from here",
                ),
                Ended::Stopped => ("stopped", "run the same command again to go on from here"),
                Ended::Complete | Ended::Exhausted => {
                    (NOT_COMPLETELY, "paths may be missing for the reasons below")
                }
            };
            writeln!(
                out,
                "{}: {amount}\n  {}",
                paint(WARN, verdict),
                paint(DIM, format!("({more})"))
            )
        };
    }
}

/// The time that runs of the build with sanitizers took, where there is such a build.
pub(crate) fn sanitized(summary: &Summary) -> Option<String> {
    let time = summary.sanitizer_seconds;
    (time > 0.0).then(|| format!("{} in runs of the build that has them", seconds(time)))
}

/// Is it worth saying that what was not run cannot fail either?
pub(crate) fn no_failure(summary: &Summary) -> bool {
    let closed = summary.subsumption.as_ref().is_some_and(|it| it.closed > 0);
    summary.complete && summary.findings.is_empty() && closed
}

/// What was closed without being run, and whether that paid.
pub(crate) fn subsumption(summary: &Summary) -> Vec<String> {
    let Some(it) = &summary.subsumption else {
        return Vec::new();
    };
    let mut lines = vec![format!(
        "{} closed without a run, by {} in {}",
        plural(it.closed, "alternative", "alternatives"),
        plural(it.interpolants, "interpolant", "interpolants"),
        seconds(it.seconds)
    )];
    if let Some((why, _)) = it.lost_for.iter().max_by_key(|(_, number)| **number) {
        lines.push(format!(
            "{} could not be followed, mostly for {}",
            plural(it.lost, "run", "runs"),
            escape::text(why)
        ));
    }
    if let Some(why) = &it.off {
        lines.push(format!("turned off: {}", escape::text(why)));
    }
    lines
}

/// How many schedules there are and how many of them were run, where not all of them were.
pub(crate) fn schedules(summary: &Summary) -> Option<String> {
    let searched = summary.schedules.as_ref().filter(|_| !summary.complete)?;
    let by = searched.sampling.as_deref().unwrap_or_default();
    let samples = format!(
        "{} ({}, seed {})",
        plural(searched.samples, "sample", "samples"),
        escape::text(by),
        summary.seed
    );
    let about = searched.estimate.map(|number| count(rounded(number)));
    match (about, by.is_empty()) {
        (Some(about), true) => Some(format!("about {about}; {} done", count(searched.done))),
        (Some(about), false) => Some(format!(
            "about {about}, too many for the time: {} in turn, and then {samples}",
            count(searched.done)
        )),
        (None, false) => Some(samples),
        (None, true) => None,
    }
}

/// The first digit of a number, as more of it would say what nobody knows; small ones as they are.
fn rounded(number: u64) -> u64 {
    let mut unit = 1u64;
    while number / unit >= 10 {
        unit *= 10;
    }
    match unit {
        1 | 10 => number,
        unit => (number / unit * unit).saturating_add(match number % unit >= unit / 2 {
            true => unit,
            false => 0,
        }),
    }
}

/// What makes it incomplete: how often, what that means, and where most of it was.
pub(crate) fn approximations(out: &mut String, summary: &Summary) {
    for (index, (kind, number)) in summary.approximations.iter().enumerate() {
        let name = if index == 0 { "incomplete" } else { "" };
        let kind = escape::text(kind);
        let value = match ApproximationKind::of_word(&kind) {
            Some(known) => format!("{} {kind}: {}", count(*number), known.meaning()),
            None => format!("{} {kind}", count(*number)),
        };
        field(out, name, &value);
    }
    // A place that is not known helps nobody; its count is above.
    let places: Vec<_> = summary
        .approximation_places
        .iter()
        .filter(|at| !at.file.is_empty() || !at.function.is_empty())
        .collect();
    for (index, at) in places.iter().take(PLACES).enumerate() {
        let name = if index == 0 { "mostly at" } else { "" };
        let place = place(&at.file, at.line, &at.function);
        let kind = escape::text(&at.kind) + &by_callee(at);
        let value = format!("{place}  {} {kind}", count(at.count));
        field(out, name, &value);
    }
    if places.len() > PLACES {
        field(
            out,
            "",
            &format!("and {} more places", places.len() - PLACES),
        );
    }
}

/// Branch sides that were reached, and apart from them those of checks that sanitizers have put there.
pub(crate) fn coverage(summary: &Summary) -> String {
    let of = |sides: &Sides| {
        let (reached, total) = (count(sides.reached.into()), count(sides.total.into()));
        format!("{reached} of {total}")
    };
    let own = format!("{} branch sides", of(&summary.branch_sides));
    match &summary.check_sides {
        None => own,
        Some(checks) => format!("{own}, and {} of checks by sanitizers", of(checks)),
    }
}

/// The call in which something was approximated, if it was in one.
pub(crate) fn by_callee(at: &ApproximationPlace) -> String {
    match at.callee.as_str() {
        "" => String::new(),
        callee => format!(" by {}", escape::text(&names::readable(callee))),
    }
}

/// Failures that were seen but not confirmed: where, and why not.
pub(crate) fn unconfirmed(out: &mut String, summary: &Summary) {
    for (index, finding) in summary.unconfirmed.iter().take(PLACES).enumerate() {
        let name = if index == 0 { "not sure" } else { "" };
        let place = place(&finding.file, finding.line, &finding.function);
        let kind = escape::text(&finding.kind);
        field(out, name, &format!("{kind} at {place}"));
        field(out, "", &paint(DIM, escape::text(&finding.note)));
    }
}

pub(crate) fn field(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "  {} {value}", paint(HEADING, format!("{name:<10}")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn how_many_schedules() {
        let searched = |estimate, samples, sampling: Option<&str>| Summary {
            complete: false,
            schedules: Some(elsewise_campaign::Searched {
                mode: "auto".into(),
                estimate,
                done: 12_000,
                samples,
                sampling: sampling.map(str::to_string),
            }),
            ..samples::summary()
        };
        let told = |summary: &Summary| schedules(summary).unwrap();
        assert_eq!(
            told(&searched(Some(2_961_003), 0, None)),
            "about 3,000,000; 12,000 done"
        );
        assert_eq!(
            told(&searched(Some(2_961_003), 800, Some("pos"))),
            "about 3,000,000, too many for the time: 12,000 in turn, and then 800 samples (pos, \
             seed 0)"
        );
        assert_eq!(
            told(&searched(None, 1, Some("pct:3"))),
            "1 sample (pct:3, seed 0)"
        );
        assert_eq!(schedules(&samples::summary()), None);
    }

    #[test]
    fn what_was_closed_without_a_run() {
        let mut summary = Summary {
            subsumption: Some(elsewise_campaign::Subsumption {
                closed: 40,
                interpolants: 1,
                seconds: 0.2,
                lost: 2,
                lost_for: [("getenv".to_owned(), 2)].into(),
                off: Some("it did not pay".into()),
                ..Default::default()
            }),
            ..samples::summary()
        };
        assert_eq!(
            subsumption(&summary),
            [
                "40 alternatives closed without a run, by 1 interpolant in 0.2 s",
                "2 runs could not be followed, mostly for getenv",
                "turned off: it did not pay",
            ]
        );
        let text = |summary: &Summary| SummaryView::new(summary).text();
        assert!(text(&summary).contains("no failure exists within the bounds below"));
        assert!(!summary.reaches_all(), "sides may lie in what was closed");
        summary.complete = false;
        assert!(!text(&summary).contains("no failure exists"));
    }

    #[test]
    fn the_time_of_sanitizers() {
        let none = samples::summary();
        assert_eq!(sanitized(&none), None);
        let summary = Summary {
            sanitizer_seconds: 12.3,
            ..none
        };
        let text = samples::plain(&SummaryView::new(&summary).text());
        let line = "  sanitizers 12 s in runs of the build that has them\n";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn small_numbers_are_not_rounded() {
        let of = [0, 9, 14, 99, 104, 150, 949, 951, u64::MAX].map(rounded);
        let max = 20_000_000_000_000_000_000_u128;
        assert_eq!(of[..8], [0, 9, 14, 99, 100, 200, 900, 1000]);
        assert!(u128::from(of[8]) <= max);
    }

    #[test]
    fn complete_and_clean() {
        let summary = samples::summary();
        let view = SummaryView::new(&summary);
        samples::snapshot("summary_complete", &view.text());
    }

    #[test]
    fn findings_come_first() {
        let (finding, case) = samples::finding();
        let mut summary = samples::summary();
        summary.findings = vec![finding];
        let findings = vec![FindingView {
            finding: &summary.findings[0],
            case: Some(&case),
            folder: "bst.elsewise/findings/1",
            debug: "elsewise replay bst.elsewise/findings/1 --gdb",
            keep: "elsewise keep bst.elsewise/findings/1",
            excerpt: None,
            path: &[],
            picture: None,
            terminal: crate::Terminal::default(),
        }];
        let view = SummaryView {
            findings,
            ..SummaryView::new(&summary)
        };
        samples::snapshot("summary_findings", &view.text());
    }

    #[test]
    fn given_up_and_out_of_budget() {
        let summary = samples::incomplete(Ended::Budget);
        let view = SummaryView::new(&summary);
        samples::snapshot("summary_budget", &view.text());
    }

    #[test]
    fn what_to_try_is_shown() {
        let summary = samples::incomplete(Ended::Exhausted);
        let view = SummaryView {
            hints: vec![("elsewise stdlib".into(), "builds the library".into())],
            ..SummaryView::new(&summary)
        };
        let text = samples::plain(&view.text());
        assert!(
            text.contains("  try        elsewise stdlib  builds the library\n"),
            "{text}"
        );
    }

    #[test]
    fn never_complete_without_being_so() {
        for ended in [
            Ended::Complete,
            Ended::Exhausted,
            Ended::Budget,
            Ended::Stopped,
        ] {
            let summary = samples::incomplete(ended);
            let view = SummaryView::new(&summary);
            let text = samples::plain(&view.text());
            assert!(!text.contains("explored completely"), "{text}");
        }
    }
}
