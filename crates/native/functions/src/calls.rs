//! The calls of a sequence as values that its programmer knows.

use super::plan::{Argument, Operation, Sequence, parameter_names};
use super::reader::Reader;
use super::sequence::{NULL, input};
use elsewise_explore::Case;
use elsewise_graph::{Call, Field, Value};

impl Reader<'_> {
    /// The calls of a sequence.
    pub(super) fn calls(&self, sequence: &Sequence, case: &Case) -> Vec<Call> {
        let called = sequence.called(case);
        let last = called.len() - 1;
        let mut calls = Vec::new();
        for (index, (operation, count)) in called.into_iter().enumerate() {
            let operation = &sequence.operations[operation];
            let names = parameter_names(&operation.function);
            let mut arguments = Vec::new();
            for (place, argument) in operation.arguments.iter().enumerate() {
                let ty = operation.function.parameters[place].ty;
                let value = match argument {
                    Argument::Input(roots) => self.root(&self.plan.roots[roots[count]]).value,
                    Argument::Shared => match sequence.shared.map(|pool| (pool, 0)) {
                        Some(name) if self.places.contains_key(&name) => Value::Pointer {
                            object: self.places[&name],
                            path: Vec::new(),
                        },
                        _ => Value::Elsewhere,
                    },
                    Argument::Made { which, .. } => {
                        match input(case, &which[count]).first().copied().unwrap_or(0) {
                            NULL => Value::Null,
                            step => Value::Result(step.into()),
                        }
                    }
                };
                arguments.push(Field {
                    name: names[place].clone(),
                    ty: self.spell(ty),
                    value,
                });
            }
            let returns = operation.function.returns.map(|ty| self.spell(ty));
            // Known without being observed: something that later calls can be given.
            let result = operation.makes.filter(|_| index < last).map(|_| Field {
                name: String::new(),
                ty: returns.clone().unwrap_or_default(),
                value: Value::Elsewhere,
            });
            calls.push(Call {
                function: operation.function.name.clone(),
                arguments,
                result,
                returns,
            });
        }
        calls
    }

    /// Puts in what the steps returned.
    pub(super) fn results(&self, sequence: &Sequence, calls: &mut [Call]) {
        for (index, call) in calls.iter_mut().enumerate() {
            let of = |operation: &&Operation| operation.function.name == call.function;
            let operation = sequence.operations.iter().find(of);
            let image = self.images.steps.get(&index);
            let root = operation.and_then(|operation| operation.result.as_ref());
            call.result = image.zip(root).map(|(image, root)| Field {
                name: String::new(),
                ty: self.spell(root.ty),
                value: self.value(root.ty, image, 0, &root.cells, 0),
            });
        }
    }
}
