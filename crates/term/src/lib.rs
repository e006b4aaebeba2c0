//! Hash-consed terms over typed inputs, with a simplifier in the constructors and an evaluator.
//!
//! A [`TermId`] is an index into one [`Terms`] table; operands always have smaller ids than the
//! term that uses them, so a walk in id order is a walk in dependency order and nothing recurses.
//! This crate names no language, no process and no file.

mod bits;
mod eval;
pub mod float;
pub mod lookup;
pub mod meaning;
mod op;
mod replace;
mod simplify;
mod smtlib;
mod support;
mod table;

pub use bits::Bits;
pub use eval::{Evaluator, Model};
pub use lookup::{Table, TableId};
pub use op::Op;
pub use replace::{Replacer, Retold};
pub use support::Walker;
pub use table::{Node, Operands, Sort, TermId, Terms, VarId};
