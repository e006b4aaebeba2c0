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

use elsewise_graph::{Graph, Step};

/// What a front end has to show of a case beside its bytes.
pub trait Picture {
    /// Lines for a terminal, with styles in them.
    fn text(&self, terminal: Terminal) -> String;

    /// One drawing that needs nothing beside itself.
    fn svg(&self) -> String;
}

/// The part of a graph where a failure happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// A root, by its place in the graph.
    Root(usize),
    /// A part of an object, or all of it.
    Object { object: usize, path: Vec<Step> },
}

/// A memory graph as a picture.
#[derive(Clone, Debug)]
pub struct GraphPicture<'a> {
    pub graph: &'a Graph,
    /// What it is a graph of: `list_concat, case 17`.
    pub title: &'a str,
    pub highlight: Option<Highlight>,
}

impl Picture for GraphPicture<'_> {
    fn text(&self, terminal: Terminal) -> String {
        text::draw(self, terminal)
    }

    fn svg(&self) -> String {
        svg::draw(self)
    }
}
