//! How far a fleet is, as text and as a page. Names and numbers are what members say of themselves.

use crate::escape;
use crate::html::STYLE;
use crate::numbers::{count, plural, seconds};
use askama::Template;
use serde::Serialize;
use std::fmt::Write as _;

/// A fleet at one moment.
#[derive(Clone, Debug, Default)]
pub struct FleetView {
    /// The words by which its campaign was begun.
    pub command: String,
    /// Portions that are over, and those that are known and are not.
    pub portions: u64,
    pub pending: u64,
    /// Made in those that are over.
    pub runs: u64,
    pub members: Vec<MemberView>,
}

/// Members that are there and were heard lately, and what they have done since they joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Present {
    pub exploring: u64,
    pub waiting: u64,
    pub runs: u64,
    pub paths: u64,
}

impl Present {
    fn text(self) -> Option<String> {
        let members = self.exploring + self.waiting;
        let who = match (self.exploring, self.waiting) {
            (0, 0) => return None,
            (_, 0) => "at work".to_owned(),
            (0, _) => "waiting".to_owned(),
            (_, waiting) => format!("at work, {} of them waiting", count(waiting)),
        };
        Some(format!(
            "{} {who}: {} and {} so far",
            plural(members, "member", "members"),
            plural(self.runs, "run", "runs"),
            plural(self.paths, "path", "paths"),
        ))
    }
}

/// What one member does.
#[derive(Clone, Debug, Default)]
pub struct MemberView {
    pub name: String,
    pub doing: &'static str,
    /// What it has explored since it joined.
    pub portions: u64,
    pub runs: u64,
    pub paths: u64,
    pub findings: u64,
    /// Seconds since it was heard, if that is long.
    pub silent: Option<u64>,
}

impl MemberView {
    fn doing(&self) -> String {
        match self.silent {
            None => self.doing.to_owned(),
            Some(ago) => format!("not heard for {}", seconds(ago as f64)),
        }
    }

    fn is_there(&self) -> bool {
        self.silent.is_none() && self.doing != "left"
    }
}

impl FleetView {
    fn end(&self) -> String {
        match self.pending {
            0 => "everything has been explored".to_owned(),
            1 => "1 is not over".to_owned(),
            more => format!("{} are not over", count(more)),
        }
    }

    fn amount(&self) -> String {
        format!(
            "{} explored in {} runs",
            plural(self.portions, "portion", "portions"),
            count(self.runs)
        )
    }

    /// Who is there, together.
    pub fn present(&self) -> Present {
        let mut all = Present::default();
        for member in self.members.iter().filter(|one| one.is_there()) {
            match member.doing {
                "waiting" => all.waiting += 1,
                _ => all.exploring += 1,
            }
            all.runs += member.runs;
            all.paths += member.paths;
        }
        all
    }

    pub fn text(&self) -> String {
        let mut text = escape::text(&self.command);
        let _ = write!(text, "\n  {}; {}\n", self.amount(), self.end());
        if let Some(present) = self.present().text() {
            let _ = writeln!(text, "  {present}");
        }
        if self.members.is_empty() {
            return text;
        }
        let names = self.members.iter().map(|one| escape::text(&one.name));
        let rows: Vec<(String, String)> = names
            .zip(self.members.iter().map(MemberView::doing))
            .collect();
        let widest = |of: fn(&(String, String)) -> &String| {
            rows.iter()
                .map(|row| of(row).chars().count())
                .max()
                .unwrap_or(0)
        };
        let (names, doings) = (widest(|row| &row.0), widest(|row| &row.1));
        for ((name, doing), member) in rows.iter().zip(&self.members) {
            let findings = match member.findings {
                0 => String::new(),
                many => format!(", {}", plural(many, "finding", "findings")),
            };
            let _ = writeln!(
                text,
                "  {name:names$}  {doing:doings$}  {}, {}, {}{findings}",
                plural(member.portions, "portion", "portions"),
                plural(member.runs, "run", "runs"),
                plural(member.paths, "path", "paths"),
            );
        }
        text
    }

    /// A page that asks for itself again.
    pub fn html(&self) -> String {
        let rows = self.members.iter().map(|member| Row {
            name: escape::text(&member.name),
            doing: member.doing(),
            here: member.is_there(),
            numbers: [member.portions, member.runs, member.paths, member.findings].map(count),
        });
        let template = FleetTemplate {
            style: STYLE,
            title: escape::text(&self.command),
            live: self.pending > 0,
            amount: self.amount(),
            end: self.end(),
            present: self.present().text(),
            rows: rows.collect(),
        };
        // Writing into a string cannot fail.
        template.render().unwrap_or_default()
    }
}

#[derive(Template)]
#[template(path = "fleet.html")]
struct FleetTemplate<'a> {
    style: &'a str,
    title: String,
    live: bool,
    amount: String,
    end: String,
    present: Option<String>,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    doing: String,
    here: bool,
    numbers: [String; 4],
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fleet() -> FleetView {
        let member = |name: &str, doing, silent| MemberView {
            name: name.to_owned(),
            doing,
            portions: 12,
            runs: 34_567,
            paths: 1,
            findings: 0,
            silent,
        };
        FleetView {
            command: "elsewise explore parse.c --input-size 32".to_owned(),
            portions: 61,
            pending: 2,
            runs: 204_113,
            members: vec![
                MemberView {
                    findings: 2,
                    ..member("build-1:4711", "exploring", None)
                },
                member("build-12:9", "waiting", Some(312)),
                member("laptop\u{1b}[2J<b>:12", "left", None),
            ],
        }
    }

    #[test]
    fn members_are_listed() {
        insta::assert_snapshot!(fleet().text());
        let over = FleetView {
            portions: 1,
            pending: 0,
            members: Vec::new(),
            ..fleet()
        };
        insta::assert_snapshot!(over.text());
    }

    #[test]
    fn the_page_has_the_same_and_nothing_is_obeyed() {
        let page = fleet().html();
        for words in [
            "build-1:4711",
            "exploring",
            "not heard for",
            "34,567",
            "2 are not over",
        ] {
            assert!(page.contains(words), "{words}");
        }
        assert!(page.contains("http-equiv=\"refresh\""));
        assert!(!page.contains("<b>") && !page.contains('\u{1b}'), "{page}");
        let over = FleetView {
            pending: 0,
            ..fleet()
        };
        assert!(!over.html().contains("http-equiv=\"refresh\""));
    }
}
