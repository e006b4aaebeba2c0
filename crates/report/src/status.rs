//! What a campaign holds.

use crate::escape;
use crate::finding::{file_word, findings_list, shell_word};
use crate::numbers::{count, plural, seconds};
use crate::style::{BAD, GOOD, HEADING, NAME, WARN, paint};
use crate::summary::{
    NOT_COMPLETELY, NOTHING_DEPENDS, approximations, coverage, field, sanitized, schedules,
    unconfirmed,
};
use elsewise_campaign::{Ended, Summary};
use std::fmt::Write;

/// A campaign at rest or at work.
pub struct StatusView<'a> {
    pub summary: &'a Summary,
    /// The process that explores it now.
    pub explorer: Option<u32>,
}

impl StatusView<'_> {
    pub fn text(&self) -> String {
        let summary = self.summary;
        let mut out = format!(
            "{} {}\n",
            paint(HEADING, escape::text(&summary.subject)),
            paint(
                NAME,
                format!("({})", shell_word(&summary.campaign.to_string_lossy()))
            )
        );
        let state = match self.explorer {
            Some(pid) => paint(WARN, format!("being explored by process {pid}")),
            None if summary.is_indifferent() => paint(WARN, NOTHING_DEPENDS),
            None if summary.complete => paint(GOOD, "explored completely"),
            None if summary.ended == Ended::Exhausted => paint(WARN, NOT_COMPLETELY),
            None => "not finished; run the same command again to go on".into(),
        };
        field(&mut out, "state", &state);
        field(
            &mut out,
            "explored",
            &format!(
                "{} in {}, {} of processor time",
                plural(summary.paths, "path", "paths"),
                plural(summary.runs, "run", "runs"),
                seconds(summary.cpu_seconds)
            ),
        );
        if let Some(words) = sanitized(summary) {
            field(&mut out, "sanitizers", &words);
        }
        field(&mut out, "coverage", &coverage(summary));
        for (index, bound) in summary.bounds.iter().enumerate() {
            field(
                &mut out,
                if index == 0 { "bounds" } else { "" },
                &escape::text(bound),
            );
        }
        if let Some(words) = schedules(summary) {
            field(&mut out, "schedules", &words);
        }
        approximations(&mut out, summary);
        unconfirmed(&mut out, summary);
        let number = summary.findings.len() as u64;
        let findings = match number {
            0 => paint(GOOD, "none"),
            _ => paint(BAD, count(number)),
        };
        field(&mut out, "findings", &findings);
        out.push_str(&findings_list(&summary.findings));
        if let Some(first) = summary.findings.first() {
            let campaign = file_word(&summary.campaign.to_string_lossy());
            let line = format!("elsewise show {} --campaign {campaign}", first.id);
            let _ = writeln!(out, "{}", paint(NAME, line));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn at_rest() {
        let summary = samples::summary();
        let view = StatusView {
            summary: &summary,
            explorer: None,
        };
        samples::snapshot("status_complete", &view.text());
    }

    #[test]
    fn at_rest_without_being_complete() {
        let state = |summary: &Summary| {
            let view = StatusView {
                summary,
                explorer: None,
            };
            let text = view.text();
            text.lines().nth(1).expect("the state").to_owned()
        };
        let mut summary = samples::incomplete(Ended::Exhausted);
        assert!(state(&summary).contains(NOT_COMPLETELY));
        summary.complete = true;
        summary.ended = Ended::Complete;
        summary.paths = 1;
        summary.queries.asked = 0;
        summary.schedules = None;
        summary.subsumption = None;
        assert!(summary.is_indifferent(), "{summary:?}");
        assert!(state(&summary).contains(NOTHING_DEPENDS));
    }

    #[test]
    fn at_work_with_findings() {
        let mut summary = samples::incomplete(Ended::Stopped);
        summary.findings = vec![samples::finding().0, samples::hostile().0];
        let view = StatusView {
            summary: &summary,
            explorer: Some(4711),
        };
        samples::snapshot("status_at_work", &view.text());
    }
}
