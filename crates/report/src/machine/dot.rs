//! The tree of choices for Graphviz.

use crate::escape;
use std::fmt::Write;

/// A choice in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// Where it is made: `list.c:12`.
    pub place: String,
    pub ways: Vec<TreeWay>,
}

/// One way out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeWay {
    /// `true`, `case 2`, `17`.
    pub name: String,
    pub end: TreeEnd,
}

/// What a way leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeEnd {
    /// The next choice, by its place in the list.
    Choice(usize),
    /// The end of a run: its number and outcome.
    Run(u64, String),
    /// A run that failed: its number and the finding's.
    Finding(u64, u32),
    /// Nobody went there yet.
    Open,
    /// Proved to have no case.
    Impossible,
    /// Closed without a run: nothing lies there that was not seen elsewhere.
    Subsumed,
    /// Given up, and why.
    Undecided(String),
    /// More choices than are drawn.
    More,
}

/// The first of `nodes` is the root; without any, `empty` is what there is to say.
pub fn tree_dot(title: &str, nodes: &[TreeNode], empty: &str) -> String {
    let mut out = format!(
        "digraph tree {{\n  label={};\n  labelloc=t;\n  fontname=\"sans-serif\";\n  \
         node [fontname=\"sans-serif\", fontsize=11, shape=box, style=rounded];\n  \
         edge [fontname=\"sans-serif\", fontsize=9];\n",
        quoted(title)
    );
    if nodes.is_empty() {
        let _ = writeln!(out, "  empty [shape=plaintext, label={}];", quoted(empty));
    }
    for (index, node) in nodes.iter().enumerate() {
        let _ = writeln!(out, "  c{index} [label={}];", quoted(&node.place));
        for (way, TreeWay { name, end }) in node.ways.iter().enumerate() {
            let name = quoted(name);
            let leaf = format!("e{index}_{way}");
            let (to, node, edge) = match end {
                TreeEnd::Choice(next) => (format!("c{next}"), None, ""),
                TreeEnd::Run(run, outcome) => {
                    let label = quoted(&format!("run {run}: {outcome}"));
                    (leaf, Some(format!("shape=plaintext, label={label}")), "")
                }
                TreeEnd::Finding(run, finding) => {
                    let label = quoted(&format!("run {run}: finding {finding}"));
                    let look = "shape=box, style=filled, fillcolor=\"#ffcecb\"";
                    (
                        leaf,
                        Some(format!("{look}, label={label}")),
                        ", color=\"#cf222e\"",
                    )
                }
                TreeEnd::Open => small(leaf, "not tried yet", ", style=dashed"),
                TreeEnd::Impossible => small(leaf, "impossible", ", color=gray"),
                TreeEnd::Subsumed => small(leaf, "closed: nothing new", ", color=gray"),
                TreeEnd::Undecided(why) => {
                    small(leaf, &format!("undecided: {why}"), ", style=dotted")
                }
                TreeEnd::More => small(leaf, "...", ""),
            };
            if let Some(node) = node {
                let _ = writeln!(out, "  {to} [{node}];");
            }
            let _ = writeln!(out, "  c{index} -> {to} [label={name}{edge}];");
        }
    }
    out.push_str("}\n");
    out
}

fn small(leaf: String, label: &str, edge: &'static str) -> (String, Option<String>, &'static str) {
    let look = "shape=plaintext, fontsize=9, fontcolor=gray40";
    (leaf, Some(format!("{look}, label={}", quoted(label))), edge)
}

/// A string of the language; backslashes are characters, not Graphviz's escapes.
pub fn quoted(text: &str) -> String {
    let text = escape::text(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
