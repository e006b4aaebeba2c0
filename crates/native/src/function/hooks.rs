//! Pointers whose values no bytes of an input can be: functions, and what only the system's
//! libraries make.

use super::plan::{Planner, Root};
use crate::types::{Function, Kind, TypeId};

/// A function that a harness has for pointers of its type: it returns fresh inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    pub name: String,
    /// The type of the function.
    pub ty: TypeId,
    /// What it returns, in [`super::Plan::roots`].
    pub root: Option<usize>,
}

/// The callbacks that were needed so far.
#[derive(Default)]
pub(super) struct Hooks {
    callbacks: Vec<Callback>,
}

/// Names of pointers to functions that give memory back.
const FREES: &[&str] = &["free", "dealloc", "destroy", "release", "delete"];

/// What names of functions that write and of streams that are written have in them.
const WRITES: &[&str] = &[
    "write", "out", "print", "put", "dump", "save", "emit", "dest",
];

impl Planner<'_> {
    /// The values, as C has them, of a pointer to this type that is in a variable of this name, if it
    /// does not point to objects that a harness could make.
    pub(super) fn not_made_of_bytes(&mut self, to: TypeId, variable: &str) -> Option<Vec<String>> {
        match self.types.kind(to) {
            Kind::Function { .. } => Some(self.functions(to, variable)),
            Kind::Struct {
                name: Some(name), ..
            } if name == "_IO_FILE" => Some(self.streams(variable)),
            // Names that begin like this are the system's.
            Kind::Opaque {
                name: Some(name), ..
            } if name.starts_with("__") || name == "_IO_FILE" => Some(vec!["0".into()]),
            _ => None,
        }
    }

    /// The stream that is of use comes first.
    fn streams(&self, variable: &str) -> Vec<String> {
        let names = format!("{} {variable}", self.options.function).to_lowercase();
        let streams = match WRITES.iter().any(|word| names.contains(word)) {
            true => ["stdout", "stdin", "0"],
            false => ["stdin", "stdout", "0"],
        };
        streams.map(str::to_string).into()
    }

    /// Functions of the file, of the library, or of the harness; null last.
    fn functions(&mut self, ty: TypeId, name: &str) -> Vec<String> {
        let mut values = Vec::new();
        match self.of_the_library(ty, name) {
            Some(known) => values.push(known.to_string()),
            None => {
                values.extend(self.of_the_file(ty));
                values.extend(self.callback(ty, name));
            }
        }
        values.push("0".into());
        values
    }

    fn same(&self, a: Option<TypeId>, b: Option<TypeId>) -> bool {
        a.and_then(|a| self.types.resolve(a)) == b.and_then(|b| self.types.resolve(b))
    }

    pub(super) fn is_void_pointer(&self, ty: TypeId) -> bool {
        match self.types.resolved(ty) {
            Some(Kind::Pointer { to }) => to.and_then(|to| self.types.resolve(to)).is_none(),
            _ => false,
        }
    }

    /// Functions of the file that have the type. Not those that know what a `void *` of theirs points
    /// to: nobody else does.
    fn of_the_file(&self, ty: TypeId) -> Vec<String> {
        let Kind::Function {
            returns,
            parameters,
            variadic,
            ..
        } = self.types.kind(ty)
        else {
            return Vec::new();
        };
        let fits = |function: &&Function| {
            let pairs = || function.parameters.iter().zip(parameters);
            function.defined
                && function.name != "main"
                && function.variadic == *variadic
                && function.parameters.len() == parameters.len()
                && pairs().all(|(a, b)| self.same(Some(a.ty), Some(*b)))
                && !pairs().any(|(a, _)| self.is_void_pointer(a.ty))
                && self.same(function.returns, *returns)
        };
        let fitting = self.types.functions.iter().filter(fits);
        fitting.map(|function| function.name.clone()).collect()
    }

    /// What the C library has for pointers that are there to have it replaced.
    fn of_the_library(&self, ty: TypeId, name: &str) -> Option<&'static str> {
        let Kind::Function {
            returns,
            parameters,
            variadic: false,
            ..
        } = self.types.kind(ty)
        else {
            return None;
        };
        let is_size = |ty: &TypeId| {
            let kind = self.types.resolved(*ty);
            let unsigned = matches!(kind, Some(Kind::Integer { signed: false, .. }));
            unsigned && self.size(*ty) == 8
        };
        let is_block = |ty: &TypeId| self.is_void_pointer(*ty);
        let gives = returns.is_some_and(|ty| self.is_void_pointer(ty));
        let nothing = returns.and_then(|ty| self.types.resolve(ty)).is_none();
        let name = name.to_lowercase();
        match &parameters[..] {
            [size] if gives && is_size(size) => Some("malloc"),
            [count, size] if gives && is_size(count) && is_size(size) => Some("calloc"),
            [block, size] if gives && is_block(block) && is_size(size) => Some("realloc"),
            [block] if nothing && is_block(block) && FREES.iter().any(|f| name.contains(f)) => {
                Some("free")
            }
            _ => None,
        }
    }

    /// A function of the harness, one for each type.
    fn callback(&mut self, ty: TypeId, name: &str) -> Option<String> {
        let callbacks = &self.hooks.callbacks;
        if let Some(known) = callbacks.iter().find(|callback| callback.ty == ty) {
            return Some(known.name.clone());
        }
        self.types.declare(ty, "f")?;
        let letters = name
            .chars()
            .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_');
        let wanted = format!("elw_{}", letters.collect::<String>());
        let taken = |name: &str| callbacks.iter().any(|callback| callback.name == name);
        let name = match taken(&wanted) {
            true => format!("{wanted}_{}", callbacks.len()),
            false => wanted,
        };
        self.hooks.callbacks.push(Callback {
            name: name.clone(),
            ty,
            root: None,
        });
        Some(name)
    }

    /// All callbacks, with what they return among the roots.
    pub(super) fn callbacks(&mut self, roots: &mut Vec<Root>) -> Vec<Callback> {
        let mut index = 0;
        // What one returns may need another.
        while let Some(callback) = self.hooks.callbacks.get(index).cloned() {
            if let Kind::Function { returns, .. } = self.types.kind(callback.ty) {
                let name = callback.name.trim_start_matches("elw_");
                self.hooks.callbacks[index].root = self.returned(*returns, name, roots);
            }
            index += 1;
        }
        std::mem::take(&mut self.hooks.callbacks)
    }
}
