//! Cobertura's XML, which GitLab, Jenkins and Azure show as coverage beside a change.
//!
//! As in [`super::lcov()`], a line counts if a choice is made there.

use super::{BranchSite, Material, by_file, by_line, xml};
use std::fmt::Write;
use std::path::Path;

const DOCTYPE: &str =
    "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">";

/// Lines and sides, those reached and all.
#[derive(Clone, Copy, Default)]
struct Count {
    lines: u64,
    lines_reached: u64,
    sides: u64,
    sides_reached: u64,
}

impl Count {
    fn of(places: &[BranchSite]) -> Count {
        let sides = || places.iter().flat_map(|place| &place.sides);
        // Lines of different files are different lines.
        let lines = by_file(places)
            .into_iter()
            .flat_map(|(_, own)| by_line(own));
        let reached: Vec<bool> = lines
            .map(|(_, places)| places.iter().any(BranchSite::is_reached))
            .collect();
        Count {
            lines: reached.len() as u64,
            lines_reached: reached.iter().filter(|reached| **reached).count() as u64,
            sides: sides().count() as u64,
            sides_reached: sides().filter(|side| side.reached).count() as u64,
        }
    }

    /// What packages and classes say of themselves.
    fn rates(&self) -> String {
        format!(
            "line-rate=\"{}\" branch-rate=\"{}\" complexity=\"0\"",
            rate(self.lines_reached, self.lines),
            rate(self.sides_reached, self.sides)
        )
    }
}

/// Of nothing, all is reached.
fn rate(reached: u64, all: u64) -> String {
    match all {
        0 => "1.0".to_owned(),
        all => format!("{:.4}", reached as f64 / all as f64),
    }
}

pub fn cobertura(material: &Material<'_>) -> String {
    let places = &material.places;
    let count = Count::of(places);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{DOCTYPE}\n\
         <coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" \
         branches-valid=\"{}\" version=\"elsewise {}\" timestamp=\"{}\">\n\
         <sources><source>.</source></sources>\n<packages>\n",
        count.rates(),
        count.lines_reached,
        count.lines,
        count.sides_reached,
        count.sides,
        env!("CARGO_PKG_VERSION"),
        material.made,
    );
    let files = by_file(places);
    for package in files.chunk_by(|one, other| folder(one.0) == folder(other.0)) {
        let own: Vec<BranchSite> = package.iter().flat_map(|(_, own)| own.to_vec()).collect();
        let _ = writeln!(
            out,
            "<package name=\"{}\" {}><classes>",
            xml::content(&folder(package[0].0)),
            Count::of(&own).rates()
        );
        for (file, places) in package {
            class(&mut out, file, places);
        }
        out.push_str("</classes></package>\n");
    }
    out.push_str("</packages>\n</coverage>\n");
    out
}

/// The folder of a file, as packages are named.
fn folder(file: &str) -> String {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    folder.to_string_lossy().replace('/', ".")
}

fn class(out: &mut String, file: &str, places: &[BranchSite]) {
    let name = Path::new(file).file_name().unwrap_or_default();
    let _ = writeln!(
        out,
        "<class name=\"{}\" filename=\"{}\" {}><methods/><lines>",
        xml::content(&name.to_string_lossy()),
        xml::content(file),
        Count::of(places).rates()
    );
    for (line, places) in by_line(places) {
        let count = Count::of(places);
        let percent = 100 * count.sides_reached / count.sides.max(1);
        let _ = writeln!(
            out,
            "<line number=\"{line}\" hits=\"{}\" branch=\"true\" \
             condition-coverage=\"{percent}% ({}/{})\"><conditions>",
            count.lines_reached, count.sides_reached, count.sides
        );
        for (number, place) in places.iter().enumerate() {
            let reached = place.sides.iter().filter(|side| side.reached).count();
            let kind = if place.sides.len() == 2 {
                "jump"
            } else {
                "switch"
            };
            let _ = writeln!(
                out,
                "<condition number=\"{number}\" type=\"{kind}\" coverage=\"{}%\"/>",
                100 * reached / place.sides.len().max(1)
            );
        }
        out.push_str("</conditions></line>\n");
    }
    out.push_str("</lines></class>\n");
}
