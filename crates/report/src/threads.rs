//! A schedule as a picture: a column for each thread, a line for each move.

use crate::graph::{Picture, STYLE, Terminal, xml};
use crate::style::{DIM, HEADING, paint};
use elsewise_campaign::Survey;
use elsewise_explore::{Kind, PositionId, SiteId, State};
use std::fmt::Write;

/// Moves that are shown: the first ones, and the last ones.
const FIRST: usize = 12;
const LAST: usize = 60;
/// Columns that the narrowest and the widest of them have.
const NARROWEST: usize = 3;
const WIDEST: usize = 16;
/// Columns that a line of source should have at least.
const SOURCE: usize = 36;

/// One move of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub thread: u32,
    /// Where the thread stood; nothing is known of where one begins.
    pub site: Option<SiteId>,
}

/// The moves of a run in order; none if it made exactly the choices of an earlier run.
pub fn moves(survey: &Survey, run: u64) -> Vec<Move> {
    let tree = &survey.tree;
    let mut above: Vec<Option<(PositionId, u64)>> = vec![None; tree.positions() as usize];
    let mut at = None;
    for position in (0..tree.positions()).map(PositionId) {
        for (way, state) in tree.ways(position) {
            match state {
                State::Position(child) => above[child.0 as usize] = Some((position, way)),
                State::Leaf(leaf) if u64::from(tree.leaf_run(leaf)) == run => {
                    at = Some((position, way));
                }
                _ => {}
            }
        }
    }
    let mut chosen: Vec<(SiteId, u32)> = Vec::new();
    while let Some((position, way)) = at {
        if tree.kind(position) == Kind::Thread {
            chosen.push((tree.site(position), way as u32));
        }
        at = above[position.0 as usize];
    }
    chosen.reverse();
    moves_of(chosen)
}

/// Moves of which it is known where each was chosen, and whose it is.
fn moves_of(chosen: Vec<(SiteId, u32)>) -> Vec<Move> {
    // The choice of a thread stands where the one before has stopped: there it will go on.
    let mut stands: Vec<(u32, SiteId)> = Vec::new();
    let mut before = 0;
    let mut moves = Vec::new();
    for (site, thread) in chosen {
        stands.retain(|(one, _)| *one != before);
        stands.push((before, site));
        let stood = stands.iter().find(|(one, _)| *one == thread);
        moves.push(Move {
            thread,
            site: stood.map(|(_, site)| *site),
        });
        before = thread;
    }
    moves
}

/// A line of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLine {
    /// The column: an index of [`SchedulePicture::threads`].
    pub thread: usize,
    /// `a.c:12`, where it is known.
    pub place: String,
    /// What stands there in the source.
    pub source: String,
    /// What is to be said besides: `begins eat (a.c:7)`.
    pub note: String,
}

/// What the threads of a run did, in order.
#[derive(Clone, Debug)]
pub struct SchedulePicture<'a> {
    /// What the threads are called.
    pub threads: &'a [String],
    pub moves: &'a [MoveLine],
    /// What it shows, in a word: `schedule`.
    pub heading: &'static str,
}

/// Lines that stand for one move, for several at the same place, or for some that are not shown.
enum Line<'a> {
    Moves(&'a MoveLine, usize, usize),
    LeftOut(usize),
}

impl SchedulePicture<'_> {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines: Vec<Line<'_>> = Vec::new();
        for (number, one) in (1..).zip(self.moves) {
            match lines.last_mut() {
                Some(Line::Moves(last, _, times)) if *last == one => *times += 1,
                _ => lines.push(Line::Moves(one, number, 1)),
            }
        }
        if lines.len() > FIRST + LAST + 1 {
            let cut = FIRST..lines.len() - LAST;
            let moves = lines[cut.clone()].iter().map(|line| match line {
                Line::Moves(_, _, times) | Line::LeftOut(times) => *times,
            });
            let left_out = moves.sum();
            lines.splice(cut, [Line::LeftOut(left_out)]);
        }
        lines
    }
}

fn words(terminal: Terminal, one: &MoveLine, times: usize) -> String {
    let mut out = terminal.name(&one.note);
    if !out.is_empty() && !one.place.is_empty() {
        out.push_str(": ");
    }
    out.push_str(&terminal.name(&one.place));
    if !one.source.is_empty() {
        let _ = write!(out, "  {}", terminal.name(&one.source));
    }
    if out.is_empty() {
        out.push_str("begins");
    }
    if times > 1 {
        let sign = if terminal.unicode { "×" } else { "x" };
        let _ = write!(out, "  ({times}{sign})");
    }
    out
}

impl Picture for SchedulePicture<'_> {
    fn heading(&self) -> &'static str {
        self.heading
    }

    fn shows_inputs(&self) -> bool {
        false
    }

    fn text(&self, terminal: Terminal) -> String {
        let digits = self.moves.len().to_string().len();
        let room = terminal.columns().saturating_sub(digits + 2 + SOURCE);
        let wanted = self.threads.iter().map(|one| one.chars().count() + 2);
        let wanted = wanted.max().unwrap_or(0).min(WIDEST);
        let fits = room / self.threads.len().max(1);
        let column = wanted.min(fits).max(NARROWEST);
        let titles: String = self
            .threads
            .iter()
            .map(|title| {
                let short = title.trim_start_matches("thread ");
                let title = match title.chars().count() < column {
                    true => title,
                    false => short,
                };
                let title = terminal.cut(&terminal.name(title), column - 1);
                format!("{title:column$}")
            })
            .collect();
        let mut out = format!("{:digits$}  {}\n", "", paint(HEADING, titles.trim_end()));
        for line in self.lines() {
            match line {
                Line::Moves(one, number, times) => {
                    let before = column * one.thread;
                    let left = terminal.columns().saturating_sub(digits + 2 + before);
                    let words = terminal.cut(&words(terminal, one, times), left.max(NARROWEST));
                    let number = paint(DIM, format!("{number:digits$}"));
                    let _ = writeln!(out, "{number}  {:before$}{words}", "");
                }
                Line::LeftOut(count) => {
                    let more = format!("{} {count} more moves", terminal.more());
                    let _ = writeln!(out, "{:digits$}  {}", "", paint(DIM, more));
                }
            }
        }
        out
    }

    fn svg(&self) -> String {
        const LANE: usize = 112;
        const ROW: usize = 22;
        const MARGIN: usize = 20;
        const CHAR: usize = 8;
        let terminal = Terminal {
            width: 200,
            unicode: true,
        };
        let lines = self.lines();
        let beside = MARGIN + LANE * self.threads.len();
        let told: Vec<String> = lines
            .iter()
            .map(|line| match line {
                Line::Moves(one, number, times) => {
                    let words = terminal.cut(&words(terminal, one, *times), 100);
                    format!("{number}  {words}")
                }
                Line::LeftOut(count) => format!("… {count} more moves"),
            })
            .collect();
        let longest = told.iter().map(|text| text.chars().count()).max();
        let width = beside + CHAR * longest.unwrap_or(0) + MARGIN;
        let height = 2 * MARGIN + ROW * (lines.len() + 1);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"elw\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
        );
        let _ = writeln!(out, "<title>{}</title>", xml(self.heading));
        let _ = writeln!(out, "<style>{STYLE}</style>");
        let _ = writeln!(
            out,
            "<rect class=\"elw-page\" width=\"{width}\" height=\"{height}\"/>"
        );
        let middle = |lane: usize| MARGIN + LANE * lane + LANE / 2;
        let (top, bottom) = (MARGIN + ROW, height - MARGIN);
        for (lane, title) in self.threads.iter().enumerate() {
            let x = middle(lane);
            let title = terminal.cut(&terminal.name(title), LANE / CHAR - 1);
            let begin = x - CHAR * title.chars().count() / 2;
            let _ = writeln!(
                out,
                "<text class=\"elw-name\" x=\"{begin}\" y=\"{MARGIN}\">{}</text>",
                xml(&title)
            );
            let _ = writeln!(
                out,
                "<line class=\"elw-box\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>"
            );
        }
        let mut before: Option<(usize, usize)> = None;
        for (row, (line, text)) in lines.iter().zip(&told).enumerate() {
            let y = top + ROW * row + ROW / 2;
            if let Line::Moves(one, ..) = line {
                let x = middle(one.thread);
                // Who moves next, where it is another.
                if let Some((from, above)) = before.filter(|(from, _)| *from != x) {
                    let _ = writeln!(
                        out,
                        "<line class=\"elw-edge\" x1=\"{from}\" y1=\"{above}\" x2=\"{x}\" y2=\"{y}\"/>"
                    );
                }
                let _ = writeln!(
                    out,
                    "<circle class=\"elw-tip\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>"
                );
                before = Some((x, y));
            }
            let class = match line {
                Line::Moves(..) => "",
                Line::LeftOut(_) => " class=\"elw-dim\"",
            };
            let baseline = y + 4;
            let _ = writeln!(
                out,
                "<text{class} x=\"{beside}\" y=\"{baseline}\">{}</text>",
                xml(text)
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_explore::{Blueprint, Bounds, Coverage, LeafEnd, Step, Tree};

    fn moves(lines: &[(usize, &str, &str)]) -> Vec<MoveLine> {
        let line = |(thread, place, source): &(usize, &str, &str)| MoveLine {
            thread: *thread,
            place: place.to_string(),
            source: source.to_string(),
            note: String::new(),
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn a_thread_moves_from_where_it_stopped() {
        let step = |kind, site, taken| Step {
            site: SiteId(site),
            kind,
            alternatives: if kind == Kind::Branch { 2 } else { 0 },
            taken,
            asleep: false,
        };
        let steps = [
            step(Kind::Branch, 0, 1),
            // The main thread has stopped at 5, and so on.
            step(Kind::Thread, 5, 0),
            step(Kind::Thread, 6, 65),
            step(Kind::Branch, 1, 0),
            step(Kind::Thread, 7, 0),
            step(Kind::Thread, 8, 65),
        ];
        let mut tree = Tree::new(Bounds::default());
        let end = LeafEnd {
            assumed: false,
            cut: false,
        };
        tree.insert_steps(0, steps.into_iter(), end);
        let survey = Survey {
            sites: Vec::new(),
            tree,
            coverage: Coverage::new(&Blueprint::default()),
            moments: Vec::new(),
            ends: Vec::new(),
            approximations: Default::default(),
            objects: Vec::new(),
        };
        let moved = |thread, site: Option<u32>| Move {
            thread,
            site: site.map(SiteId),
        };
        assert_eq!(
            super::moves(&survey, 0),
            [
                moved(0, Some(5)),
                moved(65, None),
                moved(0, Some(6)),
                moved(65, Some(7))
            ]
        );
        assert_eq!(super::moves(&survey, 1), []);
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn a_column_for_each_thread() {
        let threads = ["main thread".to_string(), "thread 1".to_string()];
        let mut moves = moves(&[
            (0, "a.c:30", "pthread_create(&t, 0, run, 0);"),
            (1, "a.c:8", "lock(&m);"),
            (1, "a.c:9", "x++;"),
            (1, "a.c:9", "x++;"),
            (0, "a.c:31", "assert(x < 3 && \"<b>\");"),
        ]);
        moves[1].note = "begins run (a.c:7)".to_string();
        let picture = SchedulePicture {
            threads: &threads,
            moves: &moves,
            heading: "schedule",
        };
        let text = plain(&picture.text(Terminal::default()));
        assert_eq!(
            text,
            "   main thread  thread 1\n\
             1  a.c:30  pthread_create(&t, 0, run, 0);\n\
             2               begins run (a.c:7): a.c:8  lock(&m);\n\
             3               a.c:9  x++;  (2×)\n\
             5  a.c:31  assert(x < 3 && \"<b>\");\n"
        );
        // Narrow, and without letters that are not ASCII.
        let terminal = Terminal {
            width: 24,
            unicode: false,
        };
        let text = plain(&picture.text(terminal));
        assert!(
            text.is_ascii() && text.lines().all(|line| line.len() <= 24),
            "{text}"
        );
        let svg = picture.svg();
        assert!(svg.contains("&lt;b&gt;") && !svg.contains("<b>"));
        assert_eq!(svg.matches("<circle").count(), 4);
    }

    #[test]
    fn many_moves_are_left_out() {
        let threads = ["main thread".to_string()];
        let places: Vec<String> = (0..500).map(|line| format!("a.c:{line}")).collect();
        let lines: Vec<_> = places.iter().map(|place| (0, place.as_str(), "")).collect();
        let moves = moves(&lines);
        let picture = SchedulePicture {
            threads: &threads,
            moves: &moves,
            heading: "schedule",
        };
        let text = plain(&picture.text(Terminal::default()));
        assert_eq!(text.lines().count(), 1 + FIRST + 1 + LAST);
        assert!(text.contains("… 428 more moves"));
        assert!(text.ends_with("500  a.c:499\n"));
    }
}
