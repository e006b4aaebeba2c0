//! A sequence of messages as a picture: a line of life for each machine and one for whoever is outside.

use crate::graph::{Picture, STYLE, Terminal, xml};
use crate::style::{DIM, HEADING, NAME, paint};
use elsewise_graph::{MessageStep, Messages};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Steps that are drawn.
const STEPS: usize = 100;

#[derive(Clone, Debug)]
pub struct MessagesPicture<'a> {
    pub messages: &'a Messages,
}

/// A message with what it carries.
fn words(name: &str, arguments: &[(String, String)]) -> String {
    let inside: Vec<String> = arguments
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match inside.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", inside.join(", ")),
    }
}

impl MessagesPicture<'_> {
    fn part(&self, step: &MessageStep) -> &str {
        let part = self.messages.parts.get(step.part);
        part.map_or("", String::as_str)
    }

    /// All steps but a beginning of which there is nothing to say.
    fn steps(&self) -> impl Iterator<Item = &MessageStep> {
        self.messages
            .steps
            .iter()
            .filter(|step| !step.message.is_empty() || !step.transitions.is_empty())
    }
}

impl Picture for MessagesPicture<'_> {
    fn heading(&self) -> &'static str {
        "messages"
    }

    fn text(&self, terminal: Terminal) -> String {
        let several = self.messages.parts.len() > 1;
        let (to, sends) = match terminal.unicode {
            true => ("→", "⇒"),
            false => ("->", "=>"),
        };
        let mut out = String::new();
        let mut number = 0;
        let count = self.steps().count();
        for step in self.steps().take(STEPS) {
            let begin = match (step.outside, step.message.is_empty()) {
                (_, true) => "     ".to_string(),
                (true, _) => {
                    number += 1;
                    format!("{number:>3}. ")
                }
                (false, _) => "     ".to_string(),
            };
            let mut line = match step.message.is_empty() {
                true => "starts".to_string(),
                false => words(&step.message, &step.arguments),
            };
            if several && !step.message.is_empty() {
                line = format!("{to} {}: {line}", self.part(step));
            }
            let room = terminal.columns().saturating_sub(begin.width() + 2);
            let _ = write!(out, "{}{}", paint(DIM, begin), terminal.cut(&line, room));
            if !step.state.is_empty() {
                let state = terminal.cut(&step.state, room.saturating_sub(line.width()));
                let _ = write!(out, "  {} {}", paint(DIM, to), paint(NAME, state));
            }
            out.push('\n');
            for (sent, arguments) in &step.sent {
                let line = words(sent, arguments);
                let room = terminal.columns().saturating_sub(10);
                let line = terminal.cut(&line, room);
                let _ = writeln!(out, "       {} {line}", paint(HEADING, sends));
            }
        }
        if count > STEPS {
            let _ = writeln!(out, "{} {} more messages", terminal.more(), count - STEPS);
        }
        out
    }

    fn svg(&self) -> String {
        const ROW: usize = 26;
        const MARGIN: usize = 20;
        const CHARACTER: usize = 8;
        let terminal = Terminal {
            width: 200,
            unicode: true,
        };
        let shown: Vec<&MessageStep> = self.steps().take(STEPS).collect();
        let mut labels = vec!["outside".to_string()];
        labels.extend(
            self.messages
                .parts
                .iter()
                .map(|part| terminal.cut(part, 30)),
        );
        let longest = shown
            .iter()
            .flat_map(|step| {
                let sent = step.sent.iter().map(|(name, with)| words(name, with));
                sent.chain([words(&step.message, &step.arguments)])
            })
            .map(|text| terminal.cut(&text, 48).width())
            .max()
            .unwrap_or(0);
        let apart = (longest * CHARACTER + 40).max(180);
        let x = |column: usize| MARGIN + 60 + column * apart;
        let rows: usize = shown
            .iter()
            .map(|step| 1 + step.sent.len() + usize::from(!step.state.is_empty()))
            .sum();
        let width = x(labels.len() - 1) + 220;
        let height = MARGIN * 3 + ROW * (rows + 1);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"elw\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>messages</title>\n"
        );
        let _ = writeln!(out, "<style>{STYLE}{COLOURS}</style>");
        let _ = writeln!(
            out,
            "<rect class=\"elw-page\" width=\"{width}\" height=\"{height}\"/>"
        );
        for (column, label) in labels.iter().enumerate() {
            let (at, bottom) = (x(column), height - MARGIN);
            let _ = writeln!(
                out,
                "<text class=\"elw-name\" text-anchor=\"middle\" x=\"{at}\" y=\"{}\">{}</text>\n<path class=\"elw-life\" d=\"M{at} {}V{bottom}\"/>",
                MARGIN + 8,
                xml(label),
                MARGIN + 18,
            );
        }
        let mut y = MARGIN + 18 + ROW;
        for step in shown {
            let here = x(step.part + 1);
            let from = match step.outside {
                true => x(0),
                // From another machine, or from itself.
                false => here.saturating_sub(60),
            };
            if !step.message.is_empty() {
                let text = terminal.cut(&words(&step.message, &step.arguments), 48);
                arrow(&mut out, from, here, y, &text);
                y += ROW;
            }
            for (sent, arguments) in &step.sent {
                let text = terminal.cut(&words(sent, arguments), 48);
                arrow(&mut out, here, x(0), y, &text);
                y += ROW;
            }
            if !step.state.is_empty() {
                let state = terminal.cut(&step.state, 26);
                let wide = state.width() * CHARACTER + 16;
                let _ = writeln!(
                    out,
                    "<rect class=\"elw-box\" rx=\"8\" x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"20\"/>\n<text x=\"{}\" y=\"{}\">{}</text>",
                    here + 6,
                    y - 16,
                    here + 14,
                    y - 2,
                    xml(&state)
                );
                y += ROW;
            }
        }
        out.push_str("</svg>\n");
        out
    }
}

fn arrow(out: &mut String, from: usize, to: usize, y: usize, text: &str) {
    let (tip, middle) = match from < to {
        true => (to - 8, from + 8),
        false => (to + 8, to + 8),
    };
    let _ = writeln!(
        out,
        "<path class=\"elw-edge\" d=\"M{from} {y}H{to}\"/>\n<path class=\"elw-tip\" d=\"M{to} {y}L{tip} {}V{}Z\"/>\n<text x=\"{middle}\" y=\"{}\">{}</text>",
        y - 4,
        y + 4,
        y - 5,
        xml(text)
    );
}

const COLOURS: &str = ".elw-life{stroke:#8c959f;stroke-width:1;stroke-dasharray:4 4}";
