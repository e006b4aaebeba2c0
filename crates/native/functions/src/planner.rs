//! How a plan is made: from the types of a function, and from what the user said about it.

use super::FunctionOptions;
use super::plan::{
    Callback, Plan, Pool, Root, RootKind, RootLength, Stub, Ways, one, parameter_names,
};
use super::said::{callable, invariant, usage};
use crate::types::{
    Function, Kind, Reach, TypeId, Types, in_library, reach, reach_past, undefined,
};
use elsewise_driver::NativeError;
use std::collections::HashMap;

/// How long an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Long {
    /// As a root says.
    As(usize),
    Exactly(u32),
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
    /// The callbacks that were needed so far.
    pub(super) callbacks: Vec<Callback>,
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
        callbacks: Vec::new(),
        left_out: false,
    };
    let mut needed = undefined(bytes)?;
    needed.retain(|symbol| {
        !defined.contains(symbol) && !in_library(symbol) && !symbol.starts_with("elsewise_")
    });
    let invariants: Vec<&str> = options.valid.iter().map(|(_, check)| &**check).collect();
    if !options.sequence.is_empty() {
        if !options.nonnull.is_empty() {
            let what =
                "--nonnull is about the parameters of one function, not of a sequence of calls";
            return Err(usage(format!("{what}: leave it out")));
        }
        return planner.sequence(bytes, &invariants, &needed);
    }
    let function = callable(types, &options.function)?;
    let counted = reach_past(bytes, &function.name, &invariants)?.functions;
    planner.plan(function, &reach(bytes, &function.name)?, counted, &needed)
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
        self.check_nonnull(function, &names)?;
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
                never_null: said.never_null || self.is_said_nonnull(&names[index], parameter.ty),
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

    /// `--nonnull`: is the parameter one of those?
    fn is_said_nonnull(&self, name: &str, ty: TypeId) -> bool {
        let said = self.options.nonnull.iter();
        self.is_pointer(ty) && said.clone().any(|one| one == "*" || one == name)
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        let ty = self.types.resolve(ty);
        ty.is_some_and(|ty| matches!(self.types.kind(ty), Kind::Pointer { .. }))
    }

    fn check_nonnull(&self, function: &Function, names: &[String]) -> Result<(), NativeError> {
        let parameters = names.iter().zip(&function.parameters);
        let pointers: Vec<&str> = parameters
            .filter(|(_, parameter)| self.is_pointer(parameter.ty))
            .map(|(name, _)| name.as_str())
            .collect();
        let known = |one: &&String| *one == "*" || pointers.contains(&one.as_str());
        match self.options.nonnull.iter().find(|one| !known(one)) {
            None => Ok(()),
            Some(one) => Err(usage(format!(
                "--nonnull={one}: that is no parameter of `{}` that is a pointer; those are {}",
                function.name,
                match pointers.is_empty() {
                    true => "none".to_string(),
                    false => pointers.join(", "),
                }
            ))),
        }
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
            never_null: self.options.returned.iter().any(|one| one == name),
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
