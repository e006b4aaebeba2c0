//! Sequences of calls: an API builds its own states. Which operation a step calls is an input, what
//! it is given are inputs too, or what earlier steps made.

use super::plan::{
    Argument, Operation, Plan, Root, RootKind, RootLength, Sequence, parameter_names,
};
use super::planner::{Long, Planner};
use super::said::{callable, invariant, usage};
use crate::types::{Function, Kind, TypeId, Types, reach, reach_past};
use elsewise_driver::NativeError;
use elsewise_driver::names;
use elsewise_explore::Case;

/// Name of the input that says which operations are called, one byte each: 0 for the end.
pub(super) const STEPS: &str = "steps";
/// In the place of a step's number: null.
pub(super) const NULL: u8 = 0xff;
/// Steps are told apart by a byte, and their inputs by name.
const MOST_STEPS: u32 = 64;
const MOST_OPERATIONS: usize = 64;

impl Planner<'_> {
    pub(super) fn sequence(
        &mut self,
        bytes: &[u8],
        invariants: &[&str],
        needed: &[String],
    ) -> Result<Plan, NativeError> {
        let options = self.options;
        let names = &options.sequence;
        if !(1..=MOST_STEPS).contains(&options.steps) || names.len() > MOST_OPERATIONS {
            return Err(NativeError::Usage(format!(
                "a sequence has 1 to {MOST_STEPS} steps of at most {MOST_OPERATIONS} operations: \
                 correct --steps or --sequence"
            )));
        }
        let types = self.types;
        let functions: Vec<&Function> = names
            .iter()
            .map(|name| callable(types, name))
            .collect::<Result<_, _>>()?;
        self.free_name(STEPS);
        let made: Vec<Option<TypeId>> = functions
            .iter()
            .map(|function| function.returns.and_then(|ty| structure(types, ty)))
            .collect();
        let takes = |ty: TypeId| structure(types, ty).filter(|of| made.contains(&Some(*of)));
        let first = functions[0];
        let null = first.parameters.iter().any(|p| takes(p.ty).is_some());
        let shared = match (made[0], first.parameters.first()) {
            (None, Some(parameter)) if !null => structure(types, parameter.ty),
            _ => None,
        };
        let shared_pool = shared.map(|ty| self.pool(Some(ty)));
        let mut roots = Vec::new();
        let mut operations = Vec::new();
        let mut counted = Vec::new();
        for (index, (function, makes)) in functions.iter().zip(&made).enumerate() {
            let mut arguments: Vec<Argument> = function
                .parameters
                .iter()
                .map(|parameter| match takes(parameter.ty) {
                    Some(of) => Argument::Made {
                        of,
                        which: Vec::new(),
                    },
                    None if shared.is_some() && structure(types, parameter.ty) == shared => {
                        Argument::Shared
                    }
                    None => Argument::Input(Vec::new()),
                })
                .collect();
            for _ in 0..options.steps {
                self.arguments(function, &mut arguments, &mut roots)?;
            }
            let variable = format!("elw_result_{index}");
            let result = match (makes, function.returns) {
                // A pointer to whatever the operation made: none of the inputs.
                (Some(_), Some(ty)) => Some(Root {
                    kind: RootKind::Result,
                    name: function.name.clone(),
                    variable,
                    ty,
                    size: self.size(ty),
                    cells: Vec::new(),
                    length: RootLength::None,
                    never_null: false,
                }),
                _ => self.result(function, function.name.clone(), variable),
            };
            operations.push(Operation {
                function: (*function).clone(),
                arguments,
                result,
                makes: *makes,
            });
            counted.extend(reach_past(bytes, &function.name, invariants)?.functions);
        }
        if options.globals {
            for function in &functions {
                for name in &reach(bytes, &function.name)?.globals {
                    let known = |root: &Root| root.variable == *name;
                    if !roots.iter().any(known)
                        && let Some(root) = self.global(name)
                    {
                        roots.push(root);
                    }
                }
            }
        }
        let stubs = self.stubs(needed, &mut roots);
        let callbacks = self.callbacks(&mut roots);
        self.add_parts();
        let valid = self.invariants(&made, shared)?;
        Ok(Plan {
            function: first.clone(),
            pools: std::mem::take(&mut self.pools),
            ways: std::mem::take(&mut self.ways),
            roots,
            result: None,
            stubs,
            callbacks,
            valid: Vec::new(),
            counted,
            left_out: self.left_out,
            assumed: Vec::new(),
            sequence: Some(Sequence {
                steps: options.steps,
                operations,
                shared: shared_pool,
                null,
                valid,
            }),
        })
    }

    /// The inputs of one more call.
    fn arguments(
        &mut self,
        function: &Function,
        arguments: &mut [Argument],
        roots: &mut Vec<Root>,
    ) -> Result<(), NativeError> {
        let names = parameter_names(function);
        let pairs = self.pairs(function, &names)?;
        let before = roots.len();
        let is_input = |argument: &Argument| matches!(argument, Argument::Input(_));
        let place: Vec<usize> = (0..arguments.len())
            .map(|index| before + arguments[..index].iter().filter(|a| is_input(a)).count())
            .collect();
        for (index, parameter) in function.parameters.iter().enumerate() {
            let name = format!("{}.{}", function.name, names[index]);
            match &mut arguments[index] {
                Argument::Shared => {}
                Argument::Made { which, .. } => which.push(self.free_name(&name)),
                Argument::Input(inputs) => {
                    let name = self.free_name(&name);
                    let mut cells = Vec::new();
                    match pairs.iter().find(|(array, _)| *array == index) {
                        Some((_, length)) => {
                            cells.push(self.array(&name, parameter.ty, Long::As(place[*length])));
                        }
                        None => self.cells(parameter.ty, &names[index], 0, 0, &mut cells),
                    }
                    inputs.push(roots.len());
                    roots.push(Root {
                        kind: RootKind::Argument,
                        name,
                        variable: format!("elw_argument_{}", roots.len()),
                        ty: parameter.ty,
                        size: self.size(parameter.ty),
                        cells,
                        length: self.length_of(&pairs, index, parameter.ty),
                        never_null: false,
                    });
                }
            }
        }
        Ok(())
    }

    /// `--valid TYPE:FUNCTION`, of what steps make or share.
    fn invariants(
        &self,
        made: &[Option<TypeId>],
        shared: Option<TypeId>,
    ) -> Result<Vec<(Function, TypeId)>, NativeError> {
        let mut valid = Vec::new();
        for (ty, check) in &self.options.valid {
            let function = invariant(self.types, ty, check)?;
            let of = structure(self.types, function.parameters[0].ty);
            match of.filter(|of| made.contains(&Some(*of)) || shared == Some(*of)) {
                Some(of) => valid.push((function.clone(), of)),
                None => {
                    return Err(usage(format!(
                        "--valid {ty}:{check}: `{check}` must take a pointer to what an operation \
                         of the sequence returns or begins with"
                    )));
                }
            }
        }
        Ok(valid)
    }
}

/// The struct, union or unknown type that a pointer points to.
fn structure(types: &Types, ty: TypeId) -> Option<TypeId> {
    let Some(Kind::Pointer { to: Some(to) }) = types.resolved(ty) else {
        return None;
    };
    let to = types.resolve(*to)?;
    let kind = types.kind(to);
    matches!(
        kind,
        Kind::Struct { .. } | Kind::Union { .. } | Kind::Opaque { .. }
    )
    .then_some(to)
}

impl Sequence {
    /// The operations that a case calls, each with how often it was called before.
    pub(super) fn called(&self, case: &Case) -> Vec<(usize, usize)> {
        let mut counts = vec![0; self.operations.len()];
        let mut called = Vec::new();
        let chosen = input(case, STEPS).iter().map(|step| usize::from(*step));
        let rest = chosen
            .take(self.steps as usize - 1)
            .take_while(|step| (1..=self.operations.len()).contains(step));
        for operation in std::iter::once(0).chain(rest.map(|step| step - 1)) {
            called.push((operation, counts[operation]));
            counts[operation] += 1;
        }
        called
    }
}

/// The bytes that a case gives for an input.
pub(super) fn input<'a>(case: &'a Case, name: &str) -> &'a [u8] {
    let key = names::key(name.as_bytes(), 0);
    case.inputs.get(&key).map_or(&[][..], Vec::as_slice)
}

/// The calls of a case, to be made fewer and simpler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    operation: usize,
    /// The type that it makes.
    makes: Option<TypeId>,
    arguments: Vec<ArgumentSource>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ArgumentSource {
    Bytes(Vec<u8>),
    /// The number of an earlier step.
    Made(TypeId, u8),
    Shared,
}

impl Steps {
    /// The steps of a case; none if the plan is of one function.
    pub fn read(plan: &Plan, case: &Case) -> Option<Steps> {
        let sequence = plan.sequence.as_ref()?;
        let step = |(operation, count): (usize, usize)| {
            let given = &sequence.operations[operation];
            Step {
                operation,
                makes: given.makes,
                arguments: given
                    .arguments
                    .iter()
                    .map(|argument| match argument {
                        Argument::Shared => ArgumentSource::Shared,
                        Argument::Made { of, which } => {
                            let number = input(case, &which[count]).first();
                            ArgumentSource::Made(*of, number.copied().unwrap_or(0))
                        }
                        Argument::Input(roots) => {
                            let root = &plan.roots[roots[count]];
                            let mut bytes = input(case, &root.name).to_vec();
                            bytes.resize(root.size as usize, 0);
                            ArgumentSource::Bytes(bytes)
                        }
                    })
                    .collect(),
            }
        };
        Some(Steps(sequence.called(case).into_iter().map(step).collect()))
    }

    /// A case with these steps, and what else another gives.
    pub fn write(&self, plan: &Plan, case: &Case) -> Case {
        let mut case = case.clone();
        let Some(sequence) = &plan.sequence else {
            return case;
        };
        let mut put = |name: &str, bytes: Vec<u8>| {
            case.inputs.insert(names::key(name.as_bytes(), 0), bytes);
        };
        let rest = self.0.iter().skip(1);
        let mut steps: Vec<u8> = rest.map(|step| step.operation as u8 + 1).collect();
        steps.resize(sequence.steps as usize - 1, 0);
        put(STEPS, steps);
        let mut counts = vec![0; sequence.operations.len()];
        for step in &self.0 {
            let count = counts[step.operation];
            counts[step.operation] += 1;
            let arguments = &sequence.operations[step.operation].arguments;
            for (argument, given) in arguments.iter().zip(&step.arguments) {
                match (argument, given) {
                    (Argument::Input(roots), ArgumentSource::Bytes(bytes)) => {
                        put(&plan.roots[roots[count]].name, bytes.clone());
                    }
                    (Argument::Made { which, .. }, ArgumentSource::Made(_, number)) => {
                        put(&which[count], vec![*number]);
                    }
                    _ => {}
                }
            }
        }
        // What calls that are no more were given.
        for (operation, count) in sequence.operations.iter().zip(counts) {
            for argument in &operation.arguments {
                for later in count..sequence.steps as usize {
                    let name = match argument {
                        Argument::Input(roots) => &plan.roots[roots[later]].name,
                        Argument::Made { which, .. } => &which[later],
                        Argument::Shared => continue,
                    };
                    case.inputs.remove(&names::key(name.as_bytes(), 0));
                }
            }
        }
        case
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Only the steps for which `keep` says so, and the first. Whoever was given what a step made
    /// that is gone is given what the last step before it made; none if there is none.
    pub fn only(&self, keep: &dyn Fn(usize) -> bool) -> Option<Steps> {
        let kept: Vec<usize> = (0..self.0.len())
            .filter(|index| *index == 0 || keep(*index))
            .collect();
        let mut steps = Vec::new();
        for old in &kept {
            let mut step = self.0[*old].clone();
            for given in &mut step.arguments {
                let ArgumentSource::Made(of, number) = given else {
                    continue;
                };
                if *number == NULL {
                    continue;
                }
                let wanted = usize::from(*number);
                let place = kept
                    .iter()
                    .take_while(|index| **index <= wanted && *index < old)
                    .enumerate()
                    .filter(|(_, index)| self.0[**index].makes == Some(*of))
                    .last()?;
                *number = place.0 as u8;
            }
            steps.push(step);
        }
        Some(Steps(steps))
    }

    /// The same steps with one argument simpler: all of it zero, or one byte of it.
    pub fn simpler(&self) -> Vec<Steps> {
        let mut simpler = Vec::new();
        for (at, step) in self.0.iter().enumerate() {
            for (place, given) in step.arguments.iter().enumerate() {
                let ArgumentSource::Bytes(bytes) = given else {
                    continue;
                };
                let mut with = |new: Vec<u8>| {
                    if new != *bytes {
                        let mut steps = self.clone();
                        steps.0[at].arguments[place] = ArgumentSource::Bytes(new);
                        if !simpler.contains(&steps) {
                            simpler.push(steps);
                        }
                    }
                };
                with(vec![0; bytes.len()]);
                for byte in (0..bytes.len()).rev() {
                    let mut new = bytes.clone();
                    new[byte] = 0;
                    with(new);
                }
            }
        }
        simpler
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(operation: usize, makes: Option<TypeId>, arguments: Vec<ArgumentSource>) -> Step {
        Step {
            operation,
            makes,
            arguments,
        }
    }

    /// new() → 0, new() → 1, add(1, 7), join(0, 1)
    fn steps(ty: TypeId) -> Steps {
        Steps(vec![
            step(0, Some(ty), vec![]),
            step(0, Some(ty), vec![]),
            step(
                1,
                None,
                vec![
                    ArgumentSource::Made(ty, 1),
                    ArgumentSource::Bytes(vec![7, 1]),
                ],
            ),
            step(
                2,
                None,
                vec![ArgumentSource::Made(ty, 0), ArgumentSource::Made(ty, 1)],
            ),
        ])
    }

    fn some_type() -> TypeId {
        let clang = "struct list { int n; }; struct list *new(void) { return 0; }";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.c");
        std::fs::write(&file, clang).unwrap();
        let tools = elsewise_driver::Toolchain::find().unwrap();
        let object = folder.path().join("list.o");
        let bytes = super::super::describe(&tools.clang, &file, &[], &object).unwrap();
        let types = Types::read(&bytes).unwrap();
        let returns = types.function("new").unwrap().returns.unwrap();
        structure(&types, returns).unwrap()
    }

    #[test]
    fn steps_that_go_take_their_numbers_with_them() {
        let ty = some_type();
        let all = steps(ty);
        assert_eq!(all.only(&|_| true), Some(all.clone()));
        // Without the second list, the first is meant.
        let fewer = all.only(&|index| index != 1).unwrap();
        assert_eq!(fewer.count(), 3);
        assert_eq!(fewer.0[1].arguments[0], ArgumentSource::Made(ty, 0));
        let both = vec![ArgumentSource::Made(ty, 0), ArgumentSource::Made(ty, 0)];
        assert_eq!(fewer.0[2].arguments, both);
        let last = all.only(&|index| index == 1 || index == 3).unwrap();
        assert_eq!(last.0[2].arguments[1], ArgumentSource::Made(ty, 1));
        // The first always stays.
        assert_eq!(all.only(&|_| false).unwrap().count(), 1);
        // Nobody makes what is wanted.
        let mut none = all;
        none.0[0].makes = None;
        none.0[1].makes = None;
        assert_eq!(none.only(&|_| true), None);
    }

    #[test]
    fn arguments_become_simpler_one_at_a_time() {
        let all = steps(some_type());
        let given: Vec<ArgumentSource> = all
            .simpler()
            .into_iter()
            .map(|steps| steps.0[2].arguments[1].clone())
            .collect();
        let bytes = |a, b| ArgumentSource::Bytes(vec![a, b]);
        assert_eq!(given, [bytes(0, 0), bytes(7, 0), bytes(0, 1)]);
    }
}
