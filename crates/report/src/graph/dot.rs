//! A memory graph for Graphviz: a table for each object, and arrows from the rows of pointers.

use super::GraphPicture;
use super::line::Terminal;
use super::rows::{Cell, Row};
use super::scene::{From, Scene};
use crate::machine::{dot_quoted, xml_content};
use std::fmt::Write;

/// Objects that are drawn before the rest is only counted.
const OBJECTS: usize = 200;

impl GraphPicture<'_> {
    /// The graph in Graphviz's language.
    pub fn dot(&self) -> String {
        let terminal = Terminal {
            width: 160,
            unicode: true,
        };
        let scene = Scene::new(self.graph, OBJECTS, terminal);
        let mut out = format!(
            "digraph memory {{\n  rankdir=LR;\n  label={};\n  labelloc=t;\n  \
             fontname=\"sans-serif\";\n  node [shape=plain, fontname=\"monospace\", fontsize=11];\n",
            dot_quoted(self.title)
        );
        if !scene.roots.is_empty() {
            table(&mut out, &scene, "roots", None, &scene.roots);
        }
        for object in &scene.order {
            let name = format!("o{object}");
            let mut title = scene.name(*object);
            if self.graph.objects[*object].freed {
                title.push_str(" (freed)");
            }
            table(&mut out, &scene, &name, Some(&title), &scene.rows[*object]);
        }
        for (from, object, path) in scene.pointers() {
            if !scene.is_shown(object) {
                continue;
            }
            let (name, row) = match from {
                From::Root(row) => ("roots".to_owned(), row),
                From::Object(object, row) => (format!("o{object}"), row),
            };
            // To the row that is meant, or to the whole object.
            let part = scene.rows[object]
                .iter()
                .position(|row| !path.is_empty() && row.path.starts_with(path));
            let port = part.map_or("t".to_owned(), |row| format!("r{row}"));
            let _ = writeln!(out, "  {name}:r{row}:e -> o{object}:{port}:w;");
        }
        if scene.cut > 0 {
            let text = format!("{} more objects", scene.cut);
            let _ = writeln!(
                out,
                "  more [shape=plaintext, label={}];",
                dot_quoted(&text)
            );
        }
        out.push_str("}\n");
        out
    }
}

fn table(out: &mut String, scene: &Scene<'_>, name: &str, title: Option<&str>, rows: &[Row]) {
    let _ = write!(
        out,
        "  {name} [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\">"
    );
    if let Some(title) = title {
        let _ = write!(
            out,
            "<TR><TD PORT=\"t\" COLSPAN=\"2\" BGCOLOR=\"#eaeef2\"><B>{}</B></TD></TR>",
            xml_content(title)
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let value = match &row.cell {
            Cell::Pointer { .. } => scene.terminal.to().to_owned(),
            _ => scene.value(row, false),
        };
        let _ = write!(
            out,
            "<TR><TD ALIGN=\"LEFT\">{}</TD><TD ALIGN=\"LEFT\" PORT=\"r{index}\">{}</TD></TR>",
            cell(&row.label),
            cell(&value)
        );
    }
    out.push_str("</TABLE>>];\n");
}

/// Graphviz refuses a cell with nothing in it.
fn cell(text: &str) -> String {
    match text.is_empty() {
        true => " ".to_owned(),
        false => xml_content(text),
    }
}
