//! What the inputs of a function are: its parameters, the globals it reads, what stubs return, and
//! the objects that all of these can point to.

use crate::types::{Function, TypeId};
use elsewise_driver::names;

/// All objects that pointers to one type can lead to: one input, one image after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Name of the input.
    pub name: String,
    /// Type of an element; none for bytes of which nothing is known.
    pub ty: Option<TypeId>,
    /// Bytes of an element.
    pub size: u64,
    /// Bytes behind its end, for a flexible array.
    pub extra: u64,
    pub elements: u32,
    /// The last element of an object is zero.
    pub ends: bool,
    pub most: u32,
    /// The root that says how many elements there are.
    pub length: Option<usize>,
    /// The cells that lead here say how many elements there are.
    pub counted: bool,
    pub cells: Vec<Cell>,
}

/// A part of an image that is a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub offset: u64,
    pub size: u64,
    pub count: u64,
    pub stride: u64,
    /// Its place in [`Plan::ways`].
    pub ways: usize,
    /// Where in the image it is said how many elements what it points to has.
    pub length: Option<Length>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    pub offset: u64,
    pub size: u64,
}

/// What selectors stand for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ways {
    /// Null, and the objects of pools, or parts of them at an offset.
    Objects {
        /// The type that it points to.
        to: Option<TypeId>,
        targets: Vec<(usize, u64)>,
    },
    /// Values by their names in the source.
    Values(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    Parameter,
    Global,
    /// What a stub returns.
    Stub,
    /// What the function returns.
    Result,
    /// What a call of a sequence is given.
    Argument,
}

/// A variable that is an input, or the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    pub kind: RootKind,
    /// Name of the input.
    pub name: String,
    /// The variable in the harness, or the global itself.
    pub variable: String,
    pub ty: TypeId,
    pub size: u64,
    pub cells: Vec<Cell>,
    pub length: RootLength,
    /// It is a pointer that is never null.
    pub never_null: bool,
}

/// Does a root say how many elements an array has?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootLength {
    None,
    Unsigned,
    /// Below zero it says nothing.
    Signed,
}

/// A function or variable that the file needs and nobody defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Stub {
    pub name: String,
    /// None for a variable.
    pub function: Option<Function>,
    /// What it returns, in [`Plan::roots`].
    pub root: Option<usize>,
    /// The subject reaches it.
    pub used: bool,
}

/// A function that a harness has for pointers of its type: it returns fresh inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    pub name: String,
    /// The type of the function.
    pub ty: TypeId,
    /// What it returns, in [`Plan::roots`].
    pub root: Option<usize>,
}

/// Calls of some operations in any order that begins with the first of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    pub steps: u32,
    pub operations: Vec<Operation>,
    /// The pool whose first object is there from the beginning, all zero: operations that are not
    /// given what others make share it.
    pub shared: Option<usize>,
    /// Null is an empty structure, as for an API whose first operation is given one.
    pub null: bool,
    /// Invariants of what the steps make: the function, and the type that it looks at.
    pub valid: Vec<(Function, TypeId)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    pub function: Function,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    pub result: Option<Root>,
    /// The type that its result points to, if other operations can be given it.
    pub makes: Option<TypeId>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// An input, another one for each call of the operation: in [`Plan::roots`].
    Input(Vec<usize>),
    /// What an earlier step made: inputs that hold its number.
    Made { of: TypeId, which: Vec<String> },
    /// The object that all steps share.
    Shared,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub function: Function,
    pub pools: Vec<Pool>,
    pub ways: Vec<Ways>,
    /// Parameters in their order first.
    pub roots: Vec<Root>,
    pub result: Option<Root>,
    pub stubs: Vec<Stub>,
    pub callbacks: Vec<Callback>,
    /// Invariants: the function, and the parameters that it must hold for.
    pub valid: Vec<(String, usize)>,
    /// Functions of the file that count: the subject and what it calls, but no invariant.
    pub counted: Vec<String>,
    pub sequence: Option<Sequence>,
    /// There are inputs that no case can be: numbers where pointers are, variables of other files.
    pub left_out: bool,
    /// What holds of the parameters, as expressions in C.
    pub assumed: Vec<String>,
}

/// What the parameters of a function are called.
pub(super) fn parameter_names(function: &Function) -> Vec<String> {
    let mut names = Vec::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        let given = parameter.name.clone().filter(|name| !name.is_empty());
        names.push(given.unwrap_or_else(|| format!("argument {}", index + 1)));
    }
    names
}

pub(super) fn one(offset: u64, size: u64, ways: usize) -> Cell {
    Cell {
        offset,
        size,
        count: 1,
        stride: size,
        ways,
        length: None,
    }
}

impl Pool {
    /// Objects are as long as `--max-array` allows.
    pub fn is_array(&self) -> bool {
        self.length.is_some()
            || self.counted
            || self.elements > 1 && !self.ends && self.ty.is_some()
    }

    /// Objects are strings, of bytes or of wide characters.
    pub fn is_text(&self) -> bool {
        self.ends && self.cells.is_empty()
    }
}

impl Cell {
    /// The same cell, so much further on.
    pub(super) fn moved(&self, by: u64) -> Cell {
        Cell {
            offset: self.offset + by,
            length: self.length.map(|length| Length {
                offset: length.offset + by,
                ..length
            }),
            ..self.clone()
        }
    }
}

impl Plan {
    /// The inputs that are a parameter each, which is a pointer that may be null: their keys, and the parameters' names.
    pub fn pointers(&self) -> Vec<(String, String)> {
        let is_pointer = |root: &&Root| match root.cells.as_slice() {
            [cell] => cell.offset == 0 && cell.count == 1 && self.leads_to_objects(cell),
            _ => false,
        };
        let roots = self.parameters().filter(|root| !root.never_null);
        roots
            .filter(is_pointer)
            .map(|root| (names::key(root.name.as_bytes(), 0), root.name.clone()))
            .collect()
    }

    fn leads_to_objects(&self, cell: &Cell) -> bool {
        matches!(&self.ways[cell.ways], Ways::Objects { targets, .. } if !targets.is_empty())
    }

    /// Are there inputs that can be the address of a function?
    pub fn has_function_pointers(&self) -> bool {
        self.ways.iter().any(|ways| match ways {
            Ways::Values(values) => values.iter().any(|value| is_name(value)),
            Ways::Objects { .. } => false,
        })
    }

    pub fn parameters(&self) -> impl Iterator<Item = &Root> {
        let of = |root: &&Root| root.kind == RootKind::Parameter;
        self.roots.iter().filter(of)
    }
}

/// Functions are there by their names, all else in digits.
pub(super) fn is_name(value: &str) -> bool {
    value.starts_with(|first: char| first.is_alphabetic() || first == '_')
}
