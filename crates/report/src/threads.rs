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
    /// It is no move: the thread waits, and for the one in which column, if that is known.
    pub waits: Option<Option<usize>>,
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

/// From a thread that waits to the one that it waits for. Ways there and back bend to different sides,
/// as all of them would be one line otherwise.
fn arrow(from: (usize, usize), to: (usize, usize)) -> String {
    /// How far it bends, by its length, and at most; and how far who waits for itself goes to the side.
    const BEND: f64 = 0.15;
    const MOST: f64 = 40.0;
    const LOOP: (f64, f64) = (32.0, 16.0);
    let ((x, y), (to_x, to_y)) = (from, to);
    let (across, down) = (to_x as f64 - x as f64, to_y as f64 - y as f64);
    let (first, last) = match from == to {
        true => (LOOP, (LOOP.0, -LOOP.1)),
        false => {
            let by = BEND.min(MOST / across.hypot(down));
            let at = |part: f64| (part * across + by * down, part * down - by * across);
            (at(1.0 / 3.0), at(2.0 / 3.0))
        }
    };
    let angle = (down - last.1).atan2(across - last.0).to_degrees();
    format!(
        "<g class=\"elw-back\"><path class=\"elw-edge\" d=\"M{x} {y}c{:.0} {:.0} {:.0} {:.0} {across:.0} {down:.0}\"/>\
         <path class=\"elw-tip\" transform=\"translate({to_x} {to_y}) rotate({angle:.0})\" d=\"M-5 0l-9 -4v8z\"/></g>\n",
        first.0, first.1, last.0, last.1
    )
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
                    let number = match one.waits {
                        Some(_) => String::new(),
                        None => number.to_string(),
                    };
                    let number = paint(DIM, format!("{number:>digits$}"));
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
        let digits = self.moves.len().to_string().len();
        let beside = MARGIN + LANE * self.threads.len();
        let told: Vec<String> = lines
            .iter()
            .map(|line| match line {
                Line::Moves(one, number, times) => {
                    let words = terminal.cut(&words(terminal, one, *times), 100);
                    let number = match one.waits {
                        Some(_) => String::new(),
                        None => number.to_string(),
                    };
                    format!("{number:>digits$}  {words}")
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
        let height_of = |row: usize| top + ROW * row + ROW / 2;
        let waiting = |(row, line): (usize, &Line<'_>)| match line {
            Line::Moves(one, ..) => one.waits.map(|other| (one.thread, other, height_of(row))),
            Line::LeftOut(_) => None,
        };
        let waiting: Vec<_> = lines.iter().enumerate().filter_map(waiting).collect();
        // Who waits for whom: a circle, where nobody can go on for that.
        for (lane, other, y) in &waiting {
            let Some(other) = *other else { continue };
            // Who has ended does not wait, and its line is all there is to point at.
            let its = waiting.iter().find(|(lane, ..)| *lane == other);
            let to = (middle(other), its.map_or(*y, |(.., its)| *its));
            out.push_str(&arrow((middle(*lane), *y), to));
        }
        for (lane, _, y) in &waiting {
            let x = middle(*lane);
            let _ = writeln!(
                out,
                "<circle class=\"elw-box\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>"
            );
        }
        let mut before: Option<(usize, usize)> = None;
        for (row, (line, text)) in lines.iter().zip(&told).enumerate() {
            let y = height_of(row);
            if let Line::Moves(one @ MoveLine { waits: None, .. }, ..) = line {
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
            waits: None,
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
    fn who_waits_makes_no_move() {
        let threads = ["main thread", "thread 1", "thread 2"].map(str::to_string);
        let mut moves = moves(&[
            (0, "a.c:30", "join(t);"),
            (1, "a.c:8", "lock(&m);"),
            (0, "a.c:30", "join(t);"),
            (1, "a.c:9", "lock(&m);"),
            (2, "a.c:9", "lock(&m);"),
        ]);
        let waits = [Some(1), Some(1), None];
        for (one, other) in moves[2..].iter_mut().zip(waits) {
            one.note = "waits".to_string();
            one.waits = Some(other);
        }
        let picture = SchedulePicture {
            threads: &threads,
            moves: &moves,
            heading: "schedule",
        };
        let text = plain(&picture.text(Terminal::default()));
        let lines = [
            "   main thread  thread 1     thread 2",
            "1  a.c:30  join(t);",
            "2               a.c:8  lock(&m);",
            "   waits: a.c:30  join(t);",
            "                waits: a.c:9  lock(&m);",
            "                             waits: a.c:9  lock(&m);",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
        let svg = picture.svg();
        assert!(svg.contains(">2  a.c:8") && !svg.contains(">3  "), "{svg}");
        // Two moves and the way from one to the other; three that wait, two of them for somebody:
        // the last is not known to wait for anybody.
        let count = |what: &str| svg.matches(what).count();
        assert_eq!(count("<circle class=\"elw-tip\""), 2);
        assert_eq!(count("<line class=\"elw-edge\""), 1);
        assert_eq!(count("<circle class=\"elw-box\""), 3);
        assert_eq!(count("<path class=\"elw-edge\""), 2);
        // The one that everybody waits for waits for itself.
        let tip = "<path class=\"elw-tip\" transform=\"translate(188 119)";
        assert_eq!(count(tip), 2, "{svg}");
    }

    #[test]
    fn ways_there_and_back_are_two() {
        let there = arrow((100, 100), (200, 100));
        let back = arrow((200, 100), (100, 100));
        // Above the straight line and beneath it, by 15 for 100.
        assert!(there.contains("M100 100c33 -15 67 -15 100 0\""), "{there}");
        assert!(back.contains("M200 100c-33 15 -67 15 -100 0\""), "{back}");
        let far = arrow((1100, 100), (100, 100));
        assert!(far.contains("M1100 100c-333 40 -667 40 -1000 0"), "{far}");
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
