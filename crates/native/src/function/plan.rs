//! What the inputs of a function are: its parameters, the globals it reads, what stubs return, and
//! the objects that all of these can point to.

use super::FunctionOptions;
use super::arrays::Long;
use super::hooks::{Callback, Hooks};
use super::pools::one;
use super::said::{callable, invariant, usage};
use super::sequence::Sequence;
use crate::NativeError;
use crate::types::{
    Function, Kind, Reach, TypeId, Types, in_library, reach, reach_past, undefined,
};
use std::collections::HashMap;

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

pub(super) struct Planner<'a> {
    pub(super) types: &'a Types,
    pub(super) options: &'a FunctionOptions,
    pub(super) pools: Vec<Pool>,
    pub(super) by_type: HashMap<Option<TypeId>, usize>,
    pub(super) ways: Vec<Ways>,
    pub(super) by_target: HashMap<Option<TypeId>, usize>,
    pub(super) by_values: HashMap<Vec<String>, usize>,
    pub(super) by_member: HashMap<(TypeId, usize), usize>,
    pub(super) by_length: HashMap<(Long, TypeId), usize>,
    pub(super) names: Vec<String>,
    pub(super) hooks: Hooks,
    pub(super) left_out: bool,
}

/// What the inputs of a function are that the object `bytes` has.
pub(super) fn plan(
    types: &Types,
    bytes: &[u8],
    options: &FunctionOptions,
    defined: &[String],
) -> Result<Plan, NativeError> {
    let mut planner = Planner {
        types,
        options,
        pools: Vec::new(),
        by_type: HashMap::new(),
        ways: Vec::new(),
        by_target: HashMap::new(),
        by_values: HashMap::new(),
        by_member: HashMap::new(),
        by_length: HashMap::new(),
        names: Vec::new(),
        hooks: Hooks::default(),
        left_out: false,
    };
    let mut needed = undefined(bytes)?;
    needed.retain(|symbol| {
        !defined.contains(symbol) && !in_library(symbol) && !symbol.starts_with("elsewise_")
    });
    let invariants: Vec<&str> = options.valid.iter().map(|(_, check)| &**check).collect();
    if !options.sequence.is_empty() {
        return planner.sequence(bytes, &invariants, &needed);
    }
    let function = callable(types, &options.function)?;
    let counted = reach_past(bytes, &function.name, &invariants)?.functions;
    planner.plan(function, &reach(bytes, &function.name)?, counted, &needed)
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

impl Planner<'_> {
    fn plan(
        &mut self,
        function: &Function,
        reach: &Reach,
        counted: Vec<String>,
        undefined: &[String],
    ) -> Result<Plan, NativeError> {
        let names = parameter_names(function);
        let pairs = self.pairs(function, &names)?;
        self.names.clone_from(&names);
        let mut roots = Vec::new();
        let behind = self.behind_void(function);
        let declared = &self.options.declared;
        for (index, parameter) in function.parameters.iter().enumerate() {
            let length = pairs.iter().find(|(array, _)| *array == index);
            let mut cells = Vec::new();
            let said = declared.get(index).cloned().unwrap_or_default();
            match (length, said.elements, behind) {
                (Some((_, length)), ..) => {
                    cells.push(self.array(&names[index], parameter.ty, Long::As(*length)));
                }
                (None, Some(elements), _) if self.fits(parameter.ty, elements) => {
                    cells.push(self.array(&names[index], parameter.ty, Long::Exactly(elements)));
                }
                (None, _, Some(to)) if self.is_void_pointer(parameter.ty) => {
                    let ways = self.pointer(Some(to), &names[index]);
                    cells.push(one(0, 8, ways));
                }
                _ => self.cells(parameter.ty, &names[index], 0, 0, &mut cells),
            }
            roots.push(Root {
                kind: RootKind::Parameter,
                name: names[index].clone(),
                variable: format!("elw_argument_{index}"),
                ty: parameter.ty,
                size: self.size(parameter.ty),
                cells,
                length: self.length_of(&pairs, index, parameter.ty),
                never_null: said.never_null,
            });
        }
        if self.options.globals {
            for name in &reach.globals {
                if let Some(root) = self.global(name) {
                    roots.push(root);
                }
            }
        }
        let mut stubs = self.stubs(undefined, &mut roots);
        for stub in &mut stubs {
            let symbol = stub
                .function
                .as_ref()
                .map_or(&stub.name, |function| &function.symbol);
            stub.used = reach.undefined.contains(symbol);
        }
        // Of variables of other files, the types are not known.
        let variable =
            |stub: &Stub| stub.function.is_none() && reach.undefined.contains(&stub.name);
        self.left_out |= self.options.globals && stubs.iter().any(variable);
        let result = self.result(function, "result".into(), "elw_result".into());
        let callbacks = self.callbacks(&mut roots);
        self.add_parts();
        let assumed = self.share(&mut roots);
        let valid = self.valid(function)?;
        Ok(Plan {
            function: function.clone(),
            pools: std::mem::take(&mut self.pools),
            ways: std::mem::take(&mut self.ways),
            roots,
            result,
            stubs,
            callbacks,
            valid,
            counted,
            sequence: None,
            left_out: self.left_out,
            assumed,
        })
    }

    /// What a function returns.
    pub(super) fn result(
        &mut self,
        function: &Function,
        name: String,
        variable: String,
    ) -> Option<Root> {
        let ty = function.returns?;
        self.types.resolve(ty)?;
        let mut cells = Vec::new();
        self.cells(ty, &name, 0, 0, &mut cells);
        Some(Root {
            kind: RootKind::Result,
            name,
            variable,
            ty,
            size: self.size(ty),
            cells,
            length: RootLength::None,
            never_null: false,
        })
    }

    pub(super) fn size(&self, ty: TypeId) -> u64 {
        match self.types.resolve(ty) {
            Some(id) => self.types.get(id).size,
            None => 0,
        }
    }

    pub(super) fn global(&mut self, name: &str) -> Option<Root> {
        let global = self.types.global(name)?;
        if global.is_const || !global.defined {
            return None;
        }
        let mut cells = Vec::new();
        self.cells(global.ty, name, 0, 0, &mut cells);
        let size = self.size(global.ty);
        (size > 0).then(|| Root {
            kind: RootKind::Global,
            name: self.free_name(name),
            variable: name.to_string(),
            ty: global.ty,
            size,
            cells,
            length: RootLength::None,
            never_null: false,
        })
    }

    /// What the file needs and nobody defines, whether the subject reaches it or not: it must link.
    pub(super) fn stubs(&mut self, undefined: &[String], roots: &mut Vec<Root>) -> Vec<Stub> {
        let mut stubs = Vec::new();
        for symbol in undefined {
            let declared = |function: &&Function| function.symbol == *symbol && !function.defined;
            let Some(function) = self.types.functions.iter().find(declared) else {
                stubs.push(Stub {
                    name: symbol.clone(),
                    function: None,
                    root: None,
                    used: true,
                });
                continue;
            };
            let root = self.returned(function.returns, &function.name, roots);
            stubs.push(Stub {
                name: function.name.clone(),
                function: Some(function.clone()),
                root,
                used: true,
            });
        }
        stubs
    }

    /// The input that is what a stub of this name returns.
    pub(super) fn returned(
        &mut self,
        ty: Option<TypeId>,
        name: &str,
        roots: &mut Vec<Root>,
    ) -> Option<usize> {
        let ty = ty.filter(|ty| self.types.resolve(*ty).is_some())?;
        let mut cells = Vec::new();
        self.cells(ty, name, 0, 0, &mut cells);
        roots.push(Root {
            kind: RootKind::Stub,
            name: self.free_name(&format!("{name}()")),
            variable: format!("elw_stub_{}", roots.len()),
            ty,
            size: self.size(ty),
            cells,
            length: RootLength::None,
            never_null: false,
        });
        Some(roots.len() - 1)
    }

    /// `--valid TYPE:FUNCTION`: the parameters of that type.
    fn valid(&self, function: &Function) -> Result<Vec<(String, usize)>, NativeError> {
        let mut valid = Vec::new();
        for (ty, check) in &self.options.valid {
            let invariant = invariant(self.types, ty, check)?;
            let wanted = self.types.resolve(invariant.parameters[0].ty);
            let target = |id: Option<TypeId>| match id.map(|id| self.types.kind(id)) {
                Some(Kind::Pointer { to }) => to.and_then(|to| self.types.resolve(to)),
                _ => None,
            };
            let mut any = false;
            for (index, parameter) in function.parameters.iter().enumerate() {
                let this = self.types.resolve(parameter.ty);
                let same =
                    this == wanted || target(this).is_some_and(|t| Some(t) == target(wanted));
                if same {
                    valid.push((check.clone(), index));
                    any = true;
                }
            }
            if !any {
                return Err(usage(format!(
                    "--valid {ty}:{check}: no parameter of `{}` is of the type that `{check}` takes; \
                     leave it out, or name a function for a type that it has",
                    function.name
                )));
            }
        }
        Ok(valid)
    }
}

/// Functions are there by their names, all else in digits.
pub(super) fn is_name(value: &str) -> bool {
    value.starts_with(|first: char| first.is_alphabetic() || first == '_')
}
