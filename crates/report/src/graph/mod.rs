//! Pictures of what a case is about: memory graphs, as text for a terminal and as SVG.

mod chain;
mod dot;
mod json;
mod layers;
mod line;
mod listing;
mod outline;
mod rows;
#[cfg(test)]
pub(crate) mod samples;
mod scene;
pub(crate) mod spell;
mod svg;
#[cfg(test)]
mod tests;
mod text;

pub use json::{BehaviourJson, GraphJson};
pub use line::Terminal;
pub(crate) use svg::{STYLE, xml};

use elsewise_graph::Graph;

/// What a front end has to show of a case beside its bytes.
pub trait Picture {
    /// What it shows, in a word or two.
    fn heading(&self) -> &'static str;

    /// Does it say all that the bytes of the inputs would?
    fn shows_inputs(&self) -> bool {
        true
    }

    /// Lines for a terminal, with styles in them.
    fn text(&self, terminal: Terminal) -> String;

    /// One drawing that needs nothing beside itself.
    fn svg(&self) -> String;
}

/// A memory graph as a picture.
#[derive(Clone, Debug)]
pub struct GraphPicture<'a> {
    pub graph: &'a Graph,
    /// What it is a graph of: `list_concat, case 17`.
    pub title: &'a str,
}

impl Picture for GraphPicture<'_> {
    fn heading(&self) -> &'static str {
        "memory"
    }

    fn text(&self, terminal: Terminal) -> String {
        text::draw(self, terminal)
    }

    fn svg(&self) -> String {
        svg::draw(self)
    }
}
