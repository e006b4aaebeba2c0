//! Pointers whose values no bytes of an input can be: functions, and what only the system's
//! libraries make.

use super::plan::{Callback, Root};
use super::planner::Planner;
use crate::types::{Function, Kind, TypeId, Types};

/// Names of pointers to functions that give memory back.
const FREES: &[&str] = &["free", "dealloc", "destroy", "release", "delete"];

/// What names of functions that write and of streams that are written have in them.
const WRITES: &[&str] = &[
    "write", "out", "print", "put", "dump", "save", "emit", "dest",
];

impl<'a> Planner<'a> {
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
                let (void, all): (Vec<&Function>, Vec<&Function>) = self
                    .of_the_file(ty)
                    .partition(|function| self.has_void_pointer(function));
                values.extend(all.into_iter().map(|function| function.name.clone()));
                values.extend(self.callback(ty, name));
                // What such a function takes a `void *` for must be what it is given.
                let is_given = self.is_parameter(ty);
                for function in void {
                    match is_given && self.taken_for(function).is_some() {
                        true => values.push(function.name.clone()),
                        false => self.left_out = true,
                    }
                }
            }
        }
        values.push("0".into());
        values
    }

    pub(super) fn is_void_pointer(&self, ty: TypeId) -> bool {
        match self.types.resolved(ty) {
            Some(Kind::Pointer { to }) => to.and_then(|to| self.types.resolve(to)).is_none(),
            _ => false,
        }
    }

    pub(super) fn has_void_pointer(&self, function: &Function) -> bool {
        let mut parameters = function.parameters.iter();
        parameters.any(|parameter| self.is_void_pointer(parameter.ty))
    }

    /// Is a pointer to this type one of the subject's own parameters?
    fn is_parameter(&self, ty: TypeId) -> bool {
        let subject = self.types.function(&self.options.function);
        let to = |ty: TypeId| match self.types.resolved(ty) {
            Some(Kind::Pointer { to }) => to.and_then(|to| self.types.resolve(to)),
            _ => None,
        };
        let mut parameters = subject.iter().flat_map(|subject| &subject.parameters);
        parameters.any(|parameter| to(parameter.ty) == self.types.resolve(ty))
    }

    /// Functions of the file that have the type.
    pub(super) fn of_the_file(&self, ty: TypeId) -> impl Iterator<Item = &'a Function> + use<'a> {
        let types = self.types;
        let kind = types.kind(ty);
        types.functions.iter().filter(move |function| {
            let Kind::Function {
                returns,
                parameters,
                variadic,
                ..
            } = kind
            else {
                return false;
            };
            let mut pairs = function.parameters.iter().zip(parameters);
            function.defined
                && function.name != "main"
                && function.variadic == *variadic
                && function.parameters.len() == parameters.len()
                && pairs.all(|(a, b)| same(types, Some(a.ty), Some(*b)))
                && same(types, function.returns, *returns)
        })
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
        let callbacks = &self.callbacks;
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
        self.callbacks.push(Callback {
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
        while let Some(callback) = self.callbacks.get(index).cloned() {
            if let Kind::Function { returns, .. } = self.types.kind(callback.ty) {
                let name = callback.name.trim_start_matches("elw_");
                self.callbacks[index].root = self.returned(*returns, name, roots);
            }
            index += 1;
        }
        std::mem::take(&mut self.callbacks)
    }
}

fn same(types: &Types, a: Option<TypeId>, b: Option<TypeId>) -> bool {
    a.and_then(|a| types.resolve(a)) == b.and_then(|b| types.resolve(b))
}
