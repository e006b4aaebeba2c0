//! The derivation of a run of a logic program as a picture: which goal called which, through which
//! clause, and how each ended.

use crate::graph::{Picture, STYLE, Terminal, xml};
use crate::style::{BAD, DIM, GOOD, paint};
use elsewise_graph::{Derivation, DerivationStep, Derived};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Steps that are drawn for a terminal, and on a page.
const LINES: usize = 40;
const ROWS: usize = 300;

#[derive(Clone, Debug)]
pub struct DerivationPicture<'a> {
    pub derivation: &'a Derivation,
}

/// A step where it stands in the tree.
struct Row<'a> {
    step: &'a DerivationStep,
    /// For each level around it, whether more comes there below; its own last.
    more: Vec<bool>,
}

impl DerivationPicture<'_> {
    /// Steps below those that called them, in the order in which they happened.
    fn rows(&self) -> Vec<Row<'_>> {
        let steps = &self.derivation.steps;
        let mut inner: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
        let mut roots = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            match step.outer.filter(|outer| *outer < index) {
                Some(outer) => inner[outer].push(index),
                None => roots.push(index),
            }
        }
        let mut rows = Vec::new();
        let mut open: Vec<(usize, Vec<bool>)> = Vec::new();
        let add = |open: &mut Vec<(usize, Vec<bool>)>, of: &[usize], around: &[bool]| {
            for (place, index) in of.iter().enumerate().rev() {
                let mut more = around.to_vec();
                more.push(place + 1 < of.len());
                open.push((*index, more));
            }
        };
        add(&mut open, &roots, &[]);
        while let Some((index, more)) = open.pop() {
            add(&mut open, &inner[index], &more);
            rows.push(Row {
                step: &steps[index],
                more,
            });
        }
        rows
    }
}

/// What is said behind the goal: the answer, where it says more than the goal.
fn answer(step: &DerivationStep) -> Option<&str> {
    match &step.ended {
        Derived::Answer(answer) if *answer != step.goal => Some(answer),
        Derived::Rejected => Some("no clause applies"),
        _ => None,
    }
}

fn mark(ended: &Derived, terminal: Terminal) -> &'static str {
    match (ended, terminal.unicode) {
        (Derived::Answer(_), true) => "✓",
        (Derived::Answer(_), false) => "+",
        (Derived::Failed | Derived::Rejected, true) => "✗",
        (Derived::Failed | Derived::Rejected, false) => "x",
        (Derived::Open, true) => "…",
        (Derived::Open, false) => ".",
    }
}

/// The lines that lead to a step.
fn branches(more: &[bool], terminal: Terminal) -> String {
    let [around @ .., own] = more else {
        return String::new();
    };
    // What the run began with hangs on nothing.
    let Some((_, around)) = around.split_first() else {
        return String::new();
    };
    let [through, none, last, next] = match terminal.unicode {
        true => ["│  ", "   ", "└─ ", "├─ "],
        false => ["|  ", "   ", "`- ", "|- "],
    };
    let mut text: String = around
        .iter()
        .map(|more| if *more { through } else { none })
        .collect();
    text.push_str(if *own { next } else { last });
    text
}

impl Picture for DerivationPicture<'_> {
    fn heading(&self) -> &'static str {
        "derivation"
    }

    fn text(&self, terminal: Terminal) -> String {
        let rows = self.rows();
        let mut out = String::new();
        for row in rows.iter().take(LINES) {
            let begin = branches(&row.more, terminal);
            let style = match row.step.ended {
                Derived::Answer(_) => GOOD,
                Derived::Failed | Derived::Rejected => BAD,
                Derived::Open => DIM,
            };
            let place = row
                .step
                .line
                .map_or(String::new(), |line| format!("  :{line}"));
            let end = match answer(row.step) {
                Some(answer) => format!("  {} {answer}", terminal.to()),
                None => String::new(),
            };
            let room = terminal.columns().saturating_sub(begin.width() + 2);
            let goal = terminal.cut(&row.step.goal, room);
            let room = room.saturating_sub(goal.width() + place.width());
            let _ = writeln!(
                out,
                "{}{} {goal}{}{}",
                paint(DIM, begin),
                paint(style, mark(&row.step.ended, terminal)),
                paint(DIM, place),
                terminal.cut(&end, room),
            );
        }
        if rows.len() > LINES {
            let _ = writeln!(out, "{} {} more steps", terminal.more(), rows.len() - LINES);
        }
        out
    }

    fn svg(&self) -> String {
        const ROW: usize = 24;
        const STEP: usize = 26;
        const MARGIN: usize = 16;
        const CHARACTER: usize = 8;
        let terminal = Terminal {
            width: 200,
            unicode: true,
        };
        let rows = self.rows();
        let shown = &rows[..rows.len().min(ROWS)];
        let words = |row: &Row<'_>| {
            let place = row
                .step
                .line
                .map_or(String::new(), |line| format!("  :{line}"));
            let end = answer(row.step).map_or(String::new(), |answer| format!("  → {answer}"));
            let goal = terminal.cut(&row.step.goal, 100);
            (goal, place, terminal.cut(&end, 100))
        };
        let widths = shown.iter().map(|row| {
            let (goal, place, end) = words(row);
            let text = goal.width() + place.width() + end.width();
            row.more.len() * STEP + text * CHARACTER
        });
        let width = 2 * MARGIN + widths.max().unwrap_or(0);
        let left_out = rows.len() - shown.len();
        let height = 2 * MARGIN + ROW * (shown.len() + usize::from(left_out > 0));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"elw\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
        );
        out.push_str("<title>derivation</title>\n");
        let _ = writeln!(out, "<style>{STYLE}{COLOURS}</style>");
        let _ = writeln!(
            out,
            "<rect class=\"elw-page\" width=\"{width}\" height=\"{height}\"/>"
        );
        // Where the step at each level stands that is nearest above.
        let mut above: Vec<usize> = Vec::new();
        for (index, row) in shown.iter().enumerate() {
            let level = row.more.len() - 1;
            let y = MARGIN + ROW * index + ROW / 2;
            let x = MARGIN + STEP * level + 6;
            above.truncate(level);
            if let Some(from) = above.last() {
                let corner = x - STEP;
                let begin = from + 6;
                let _ = writeln!(
                    out,
                    "<path class=\"elw-edge elw-call\" d=\"M{corner} {begin}V{y}H{}\"/>",
                    x - 6
                );
            }
            above.push(y);
            let class = match row.step.ended {
                Derived::Answer(_) => "elw-good",
                Derived::Failed | Derived::Rejected => "elw-bad",
                Derived::Open => "elw-open",
            };
            let _ = writeln!(
                out,
                "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>"
            );
            let (goal, place, end) = words(row);
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\">{}<tspan class=\"elw-dim\">{}</tspan>{}</text>",
                x + 12,
                y + 4,
                xml(&goal),
                xml(&place),
                xml(&end)
            );
        }
        if left_out > 0 {
            let y = MARGIN + ROW * shown.len() + ROW / 2 + 4;
            let _ = writeln!(
                out,
                "<text class=\"elw-dim\" x=\"{MARGIN}\" y=\"{y}\">… {left_out} more steps</text>"
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

/// Of what succeeded, what failed, and what the run ended in; the shape tells it, too.
const COLOURS: &str = "\
.elw-call{stroke:#8c959f;stroke-width:1}\
.elw-good{fill:#1a7f37;stroke:#1a7f37}\
.elw-bad{fill:none;stroke:#cf222e;stroke-width:2}\
.elw-open{fill:none;stroke:#8c959f;stroke-width:2;stroke-dasharray:3 2}";

#[cfg(test)]
mod tests {
    use super::*;

    fn step(outer: Option<usize>, goal: &str, line: Option<u32>, ended: Derived) -> DerivationStep {
        DerivationStep {
            outer,
            goal: goal.into(),
            line,
            ended,
        }
    }

    fn sample() -> Derivation {
        let answer = |text: &str| Derived::Answer(text.into());
        Derivation {
            steps: vec![
                step(
                    None,
                    "route(a, c, P)",
                    Some(2),
                    answer("route(a, c, [a, b, c])"),
                ),
                step(Some(0), "edge(a, X)", Some(5), answer("edge(a, b)")),
                step(Some(0), "route(b, c, P)", Some(1), Derived::Failed),
                step(Some(2), "edge(b, <d>)", None, Derived::Rejected),
                step(Some(0), "route(b, c, P)", Some(2), Derived::Open),
            ],
        }
    }

    #[test]
    fn steps_stand_below_what_called_them() {
        let derivation = sample();
        let picture = DerivationPicture {
            derivation: &derivation,
        };
        let plain = anstream::adapter::strip_str(&picture.text(Terminal::default())).to_string();
        assert_eq!(
            plain,
            "✓ route(a, c, P)  :2  → route(a, c, [a, b, c])\n\
             ├─ ✓ edge(a, X)  :5  → edge(a, b)\n\
             ├─ ✗ route(b, c, P)  :1\n\
             │  └─ ✗ edge(b, <d>)  → no clause applies\n\
             └─ … route(b, c, P)  :2\n"
        );
    }

    #[test]
    fn the_drawing_has_each_step_once() {
        let derivation = sample();
        let picture = DerivationPicture {
            derivation: &derivation,
        };
        let svg = picture.svg();
        assert_eq!(svg.matches("<circle").count(), 5);
        assert_eq!(svg.matches("<path").count(), 4);
        assert!(svg.contains("&lt;d&gt;") && !svg.contains("<d>"));
    }

    #[test]
    fn a_long_derivation_is_cut() {
        let steps =
            (0..400).map(|at: usize| step(at.checked_sub(1), "p(X)", Some(1), Derived::Failed));
        let derivation = Derivation {
            steps: steps.collect(),
        };
        let picture = DerivationPicture {
            derivation: &derivation,
        };
        let text = picture.text(Terminal::default());
        assert!(text.ends_with("360 more steps\n"), "{text}");
        assert!(picture.svg().contains("100 more steps"));
    }
}
