//! Looks for what cannot be meant in a model, whatever format it came from.
//!
//! Nothing in here recurses over the depth of a machine, and nothing takes longer than the model is
//! large: a machine can have a hundred thousand states, beside or inside of each other.

mod reach;
mod tables;

use crate::model::{
    Capsule, Guard, Machine, Model, Nesting, Transition, TransitionKind, VertexId, VertexKind,
};
use crate::problem::Problem;
use std::collections::HashMap;

/// More problems than this are of no use to anybody.
const MOST_PROBLEMS: usize = 1000;

/// All that is wrong with a model. Without an error in it, no index of the model dangles, every
/// vertex is inside of its machine, and there is a way to begin.
pub fn validate(model: &Model) -> Vec<Problem> {
    let mut problems = tables::check(model);
    if !problems.is_empty() {
        // Nothing else can be said as long as the tables do not fit together.
        return problems;
    }
    duplicates(
        &mut problems,
        "capsules",
        model.capsules.iter().map(|it| (it.name.as_str(), it.place)),
    );
    for capsule in &model.capsules {
        members(capsule, &mut problems);
        if let Some(machine) = &capsule.machine {
            let nesting = Nesting::new(machine);
            Checker {
                model,
                capsule,
                machine,
                nesting: &nesting,
                problems: &mut problems,
            }
            .check();
        }
        if problems.len() > MOST_PROBLEMS {
            problems.truncate(MOST_PROBLEMS);
            break;
        }
    }
    connectors(model, &mut problems);
    problems
}

fn duplicates<'a>(
    problems: &mut Vec<Problem>,
    what: &str,
    names: impl Iterator<Item = (&'a str, crate::model::SourcePosition)>,
) {
    let mut first = HashMap::new();
    for (name, place) in names {
        if let Some(line) = first.insert(name, place.line) {
            problems.push(Problem::error(
                place,
                "duplicate name",
                format!("two {what} are named {name}; the other one stands in line {line}"),
            ));
        }
    }
}

fn members(capsule: &Capsule, problems: &mut Vec<Problem>) {
    let attributes = capsule.attributes.iter();
    duplicates(
        problems,
        "attributes",
        attributes.map(|it| (it.name.as_str(), it.place)),
    );
    let ports = capsule.ports.iter();
    duplicates(
        problems,
        "ports",
        ports.map(|it| (it.name.as_str(), it.place)),
    );
}

fn connectors(model: &Model, problems: &mut Vec<Problem>) {
    let Some(system) = &model.system else {
        return;
    };
    for connector in &system.connectors {
        let ports = connector.ends.map(|end| {
            let capsule = &model.capsules[system.parts[end.part].capsule];
            &capsule.ports[end.port.index()]
        });
        if ports[0].protocol != ports[1].protocol {
            problems.push(Problem::warning(
                connector.place,
                "connected protocols",
                format!(
                    "ports {} and {} are connected, but have different protocols",
                    ports[0].name, ports[1].name
                ),
            ));
        }
    }
}

struct Checker<'c> {
    model: &'c Model,
    capsule: &'c Capsule,
    machine: &'c Machine,
    nesting: &'c Nesting,
    problems: &'c mut Vec<Problem>,
}

impl Checker<'_> {
    fn check(&mut self) {
        self.beginning();
        for (number, vertex) in self.machine.vertices.iter().enumerate() {
            if self.problems.len() > MOST_PROBLEMS {
                return;
            }
            let id = VertexId::of(number);
            match vertex.kind {
                VertexKind::State => self.names(id),
                VertexKind::Final => self.final_state(id),
                VertexKind::Choice | VertexKind::Junction => self.choice(id),
                VertexKind::ShallowHistory | VertexKind::DeepHistory => self.history(id),
                VertexKind::EntryPoint | VertexKind::ExitPoint => {}
            }
        }
        for transition in &self.machine.transitions {
            if self.problems.len() > MOST_PROBLEMS {
                return;
            }
            match transition.kind {
                TransitionKind::Initial => self.initial(transition),
                _ => self.transition(transition),
            }
        }
        reach::cycles(self.machine, self.problems);
        reach::unreached(self.model, self.capsule, self.machine, self.problems);
    }

    fn error(
        &mut self,
        place: crate::model::SourcePosition,
        reason: &'static str,
        message: String,
    ) {
        self.problems.push(Problem::error(place, reason, message));
    }

    /// A vertex as messages name it. Names of deep ones are long, so that only their end is given.
    fn name(&self, id: VertexId) -> String {
        match id {
            VertexId::TOP => format!("machine {}", self.machine.name),
            id => match self.nesting.depth(id) {
                0..=8 => format!("state {}", self.machine.path(id)),
                _ => format!("state {}", self.machine.vertex(id).name),
            },
        }
    }

    fn beginning(&mut self) {
        let top = self.machine.vertex(VertexId::TOP);
        let states = top
            .children
            .iter()
            .any(|child| self.machine.vertex(*child).is_state());
        match (states, top.initial) {
            (true, None) => self.error(
                top.place,
                "no initial",
                format!(
                    "the machine of {} has no initial transition",
                    self.capsule.name
                ),
            ),
            (false, _) => self.problems.push(Problem::warning(
                top.place,
                "empty machine",
                format!("the machine of {} has no states", self.capsule.name),
            )),
            (true, Some(_)) => {}
        }
    }

    fn names(&mut self, id: VertexId) {
        let vertex = self.machine.vertex(id);
        let states = vertex.children.iter().map(|it| self.machine.vertex(*it));
        let states = states.filter(|it| it.is_state() && !it.name.is_empty());
        duplicates(
            self.problems,
            &format!("states in {}", self.machine.vertex(id).name),
            states.map(|it| (it.name.as_str(), it.place)),
        );
    }

    fn final_state(&mut self, id: VertexId) {
        let vertex = self.machine.vertex(id);
        if !vertex.outgoing.is_empty() || !vertex.children.is_empty() {
            let what = match vertex.children.is_empty() {
                true => "a transition leaves it",
                false => "there are states in it",
            };
            let message = format!("{} is final, but {what}", self.name(id));
            self.error(vertex.place, "not final", message);
        }
    }

    fn choice(&mut self, id: VertexId) {
        let vertex = self.machine.vertex(id);
        let guards = vertex
            .outgoing
            .iter()
            .map(|way| &self.machine.transition(*way).guard);
        let others = guards
            .clone()
            .filter(|guard| !matches!(guard, Some(Guard::When(_))));
        match (vertex.outgoing.len(), others.count()) {
            (0, _) => self.error(
                vertex.place,
                "choice without a way out",
                format!("nothing leads on from choice {}", vertex.name),
            ),
            (_, 0) if !self.model.semantics.choice_may_fall_through => {
                self.problems.push(Problem::warning(
                    vertex.place,
                    "choice without else",
                    format!(
                        "choice {} has no else: if no guard holds, the machine is stuck there",
                        vertex.name
                    ),
                ));
            }
            (_, 0 | 1) => {}
            (_, several) => self.problems.push(Problem::warning(
                vertex.place,
                "several else",
                format!(
                    "choice {} has {several} ways without a guard; the first is taken",
                    vertex.name
                ),
            )),
        }
    }

    fn history(&mut self, id: VertexId) {
        let vertex = self.machine.vertex(id);
        if vertex.parent == Some(VertexId::TOP) {
            self.error(
                vertex.place,
                "history outside of a composite state",
                "there is a history at the top, but the machine itself is never left".to_owned(),
            );
        }
        let outside = vertex.outgoing.iter().any(|default| {
            let target = self.machine.transition(*default).target;
            let parent = vertex.parent.unwrap_or(VertexId::TOP);
            target.is_none_or(|target| target == parent || !self.nesting.within(target, parent))
        });
        if outside {
            let message = format!(
                "the default of a history in {} leads out of it",
                self.name(vertex.parent.unwrap_or(VertexId::TOP))
            );
            self.error(vertex.place, "history leads outside", message);
        }
    }

    fn initial(&mut self, transition: &Transition) {
        let state = self.name(transition.source);
        match transition.target {
            None => self.error(
                transition.place,
                "no initial",
                format!("the initial transition of {state} leads nowhere"),
            ),
            Some(target) if self.nesting.within(transition.source, target) => self.error(
                transition.place,
                "cyclic initial",
                format!(
                    "the initial transition of {state} leads to {}, so that it never ends",
                    self.name(target)
                ),
            ),
            Some(target) if !self.nesting.within(target, transition.source) => self.error(
                transition.place,
                "initial leads outside",
                format!(
                    "the initial transition of {state} leads to {}, which is outside of it",
                    self.name(target)
                ),
            ),
            Some(_) => {}
        }
        if transition.guard.is_some() {
            self.error(
                transition.place,
                "guard on initial",
                format!("the initial transition of {state} has a guard; lead it to a choice"),
            );
        }
        if !transition.triggers.is_empty() {
            self.error(
                transition.place,
                "trigger on initial",
                format!("the initial transition of {state} waits for something"),
            );
        }
    }

    fn transition(&mut self, transition: &Transition) {
        let source = self.machine.vertex(transition.source);
        let internal = transition.kind == TransitionKind::Internal;
        if transition.target.is_none() && !internal {
            let message = format!(
                "transition {} of {} leads nowhere",
                transition.name,
                self.name(transition.source)
            );
            self.error(transition.place, "no target", message);
        }
        if !source.is_state() && !transition.triggers.is_empty() {
            let message = format!(
                "transition {} waits for something at {}, which is no state: that is passed over",
                transition.name, source.name
            );
            let place = transition.place;
            let reason = "trigger behind a pseudostate";
            self.problems.push(Problem::warning(place, reason, message));
        }
        let by_itself = source.kind == VertexKind::State && transition.triggers.is_empty();
        if by_itself && internal && transition.guard.is_none() {
            let message = format!(
                "an internal transition of {} waits for nothing and would never end",
                self.name(transition.source)
            );
            self.error(transition.place, "endless", message);
        }
    }
}
