//! Coverage over time as a drawing.

use crate::numbers::{count, seconds};
use elsewise_campaign::{Moment, Summary, Survey};
use std::fmt::Write;

/// The drawing's own measures; the page stretches it.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 300.0;
/// Time runs by powers where all but a few sides are reached within this share of it.
const EARLY: f64 = 0.08;

/// A chart whose labels are text of the page, so that they keep their size on small screens.
pub(super) struct Chart {
    /// `<path>` data of the line, and of the area below it.
    pub line: String,
    pub area: String,
    pub marks: Vec<Mark>,
    /// Labels of the vertical axis with their height in percent.
    pub rows: Vec<Label>,
    /// Labels of the horizontal axis with their place in percent.
    pub columns: Vec<Label>,
    /// In a sentence.
    pub words: String,
    pub logarithmic: bool,
}

/// A finding at its time.
pub(super) struct Mark {
    pub at: String,
    pub words: String,
}

pub(super) struct Label {
    pub at: String,
    pub text: String,
}

/// How time is laid out.
struct Scale {
    end: f64,
    /// Where powers begin.
    from: Option<f64>,
}

impl Scale {
    /// 0 to 1.
    fn at(&self, millis: f64) -> f64 {
        let share = match self.from {
            Some(from) => (millis.max(from) / from).ln() / (self.end / from).ln(),
            None => millis / self.end,
        };
        share.clamp(0.0, 1.0)
    }
}

impl Chart {
    /// Nothing when there was no run, or nothing to be reached.
    pub fn new(survey: &Survey, summary: &Summary) -> Option<Chart> {
        let total = summary.branch_sides.total;
        let (first, last) = (survey.moments.first()?, survey.moments.last()?);
        if total == 0 {
            return None;
        }
        let end = (last.millis as f64)
            .max(summary.wall_seconds * 1e3)
            .max(1.0);
        let wanted = last.sides - last.sides / 10;
        let most = survey.moments.iter().find(|moment| moment.sides >= wanted);
        let early = most.is_some_and(|moment| (moment.millis as f64) < EARLY * end);
        let from = (first.millis as f64).max(1.0);
        let logarithmic = early && end > 10.0 * from;
        let scale = Scale {
            end,
            from: logarithmic.then_some(from),
        };
        let height = |sides: u32| HEIGHT - HEIGHT * f64::from(sides) / f64::from(total.max(sides));
        let mut line = format!("M0 {:.1}", height(first.sides));
        let mut right = 0.0;
        for pair in survey.moments.windows(2) {
            right = WIDTH * scale.at(pair[1].millis as f64);
            if pair[1].sides != pair[0].sides {
                let _ = write!(line, "H{right:.1}V{:.1}", height(pair[1].sides));
            }
        }
        // To the end of the campaign: nothing new came after the last step.
        right = f64::max(right, WIDTH * scale.at(end));
        let _ = write!(line, "H{right:.1}");
        let area = format!("{line}V{HEIGHT}H0Z");
        Some(Chart {
            area,
            line,
            marks: marks(&survey.moments, &scale),
            rows: [0, 50, 100]
                .map(|percent| Label {
                    at: percent.to_string(),
                    text: count(u64::from(total) * percent / 100),
                })
                .into(),
            columns: columns(&scale),
            words: words(&survey.moments, last, total),
            logarithmic,
        })
    }
}

fn marks(moments: &[Moment], scale: &Scale) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut before = 0;
    for moment in moments {
        for finding in before..moment.findings {
            marks.push(Mark {
                at: format!("{:.2}", 100.0 * scale.at(moment.millis as f64)),
                words: format!(
                    "{} after {}",
                    match finding {
                        0 => "first finding".to_string(),
                        more => format!("finding number {}", more + 1),
                    },
                    seconds(moment.millis as f64 / 1e3)
                ),
            });
        }
        before = before.max(moment.findings);
    }
    marks
}

/// Round times, not too near to each other.
fn columns(scale: &Scale) -> Vec<Label> {
    let steps = [
        1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 6e4, 12e4,
        3e5, 6e5, 12e5, 36e5, 72e5, 18e6, 36e6, 864e5, 1728e5, 6048e5,
    ];
    let mut labels = Vec::new();
    match scale.from {
        Some(from) => {
            let mut last = -1.0;
            for step in steps.into_iter().filter(|step| *step >= from) {
                let at = scale.at(step);
                if step <= scale.end && at >= last + 0.2 && at < 0.93 {
                    labels.push(label(at, step));
                    last = at;
                }
            }
        }
        None => {
            let step = steps.into_iter().find(|step| scale.end / step <= 5.0);
            let step = step.unwrap_or(scale.end);
            let mut time = 0.0;
            while time <= 0.93 * scale.end {
                labels.push(label(scale.at(time), time));
                time += step;
            }
        }
    }
    labels
}

fn label(at: f64, millis: f64) -> Label {
    let text = match millis {
        0.0 => "0".into(),
        millis if millis < 1e3 => format!("{millis} ms"),
        millis if millis < 12e4 => format!("{} s", millis / 1e3),
        millis if millis < 72e5 => format!("{} min", millis / 6e4),
        millis => format!("{} h", millis / 36e5),
    };
    Label {
        at: format!("{:.2}", 100.0 * at),
        text,
    }
}

fn words(moments: &[Moment], last: &Moment, total: u32) -> String {
    let half = moments.iter().find(|moment| moment.sides * 2 >= last.sides);
    let half = half.map_or(0, |moment| moment.millis);
    let done = moments.iter().find(|moment| moment.sides == last.sides);
    let done = done.map_or(0, |moment| moment.millis);
    let time = |millis: u64| seconds(millis as f64 / 1e3);
    format!(
        "{} of {} branch sides reached; half of them after {}, the last one after {}",
        count(last.sides.into()),
        count(total.into()),
        time(half),
        time(done)
    )
}
