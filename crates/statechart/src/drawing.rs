//! The machines of a model as they are drawn, with what was reached of them and why the rest was not.

use crate::generate::ElementKind;
use crate::model::{Capsule, Guard, Machine, TransitionId, TransitionKind, VertexId, VertexKind};
use crate::project::Project;
use elsewise_graph::{ChartArrow, ChartFate, ChartKind, ChartState, StateChart};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a machine.
struct Known<'a> {
    capsule: &'a Capsule,
    machine: &'a Machine,
    states: BTreeSet<usize>,
    transitions: BTreeMap<usize, (String, bool)>,
    /// Everything within the bounds was explored.
    complete: bool,
    steps: u32,
}

impl Project {
    /// One drawing for each capsule, by the numbers of the elements that were reached.
    pub fn drawings(&self, reached: &BTreeSet<usize>, complete: bool) -> Vec<StateChart> {
        let mut capsules: Vec<usize> = self
            .generated
            .parts
            .iter()
            .map(|part| part.capsule)
            .collect();
        capsules.sort_unstable();
        capsules.dedup();
        let known = capsules.into_iter().filter_map(|index| {
            let capsule = self.model.capsules.get(index)?;
            let machine = capsule.machine.as_ref()?;
            let mut known = Known {
                capsule,
                machine,
                states: BTreeSet::new(),
                transitions: BTreeMap::new(),
                complete,
                steps: self.options.steps,
            };
            let elements = self.generated.elements.iter().enumerate();
            for (number, element) in elements.filter(|(_, one)| one.capsule == index) {
                let is_reached = reached.contains(&number);
                match element.kind {
                    ElementKind::State if is_reached => {
                        known.states.insert(element.index);
                    }
                    ElementKind::State => {}
                    ElementKind::Transition => {
                        let label = element.label.clone();
                        known.transitions.insert(element.index, (label, is_reached));
                    }
                }
            }
            Some(known.drawing())
        });
        known.collect()
    }
}

impl Known<'_> {
    fn drawing(&self) -> StateChart {
        let machine = self.machine;
        // A vertex's place in the drawing; the machine itself is the page.
        let mut places = vec![None; machine.vertices.len()];
        let mut states: Vec<ChartState> = Vec::new();
        let mut starts: BTreeMap<usize, usize> = BTreeMap::new();
        // Parents come first: they need not in the model.
        let mut open = vec![VertexId::TOP];
        let mut next = 0;
        while next < open.len() {
            let id = open[next];
            next += 1;
            let vertex = machine.vertex(id);
            let parent = vertex.parent.and_then(|parent| places[parent.index()]);
            if id != VertexId::TOP {
                places[id.index()] = Some(states.len());
                states.push(ChartState {
                    name: vertex.name.clone(),
                    parent,
                    kind: kind(vertex.kind),
                    fate: self.state(id),
                    line: vertex.place.line,
                });
            }
            if vertex.initial.is_some() {
                starts.insert(id.index(), states.len());
                states.push(ChartState {
                    name: String::new(),
                    parent: places[id.index()],
                    kind: ChartKind::Initial,
                    fate: ChartFate::Reached,
                    line: vertex.place.line,
                });
            }
            open.extend(&vertex.children);
        }
        let mut arrows = Vec::new();
        for (index, transition) in machine.transitions.iter().enumerate() {
            let from = match transition.kind {
                TransitionKind::Initial => starts.get(&transition.source.index()).copied(),
                _ => places[transition.source.index()],
            };
            let (label, _) = self.transitions.get(&index).cloned().unwrap_or_default();
            arrows.push(ChartArrow {
                // What leaves the machine itself begins nowhere in it.
                from: from.unwrap_or(usize::MAX),
                to: transition.target.and_then(|id| places[id.index()]),
                label,
                fate: self.transition(TransitionId::of(index)),
                line: transition.place.line,
            });
        }
        StateChart {
            name: self.capsule.name.clone(),
            states,
            arrows,
        }
    }

    fn fate(&self, why: String) -> ChartFate {
        match self.complete {
            true => {
                ChartFate::Unreachable(format!("{why}, within {} messages at most", self.steps))
            }
            false => ChartFate::Missed(format!("{why} so far")),
        }
    }

    fn state(&self, id: VertexId) -> ChartFate {
        let vertex = self.machine.vertex(id);
        if !vertex.is_state() || self.states.contains(&id.index()) {
            return ChartFate::Reached;
        }
        let transitions = self.machine.transitions.iter();
        let ways =
            transitions.filter(|one| one.target.is_some_and(|to| self.machine.within(to, id)));
        match ways.count() {
            0 => ChartFate::Unreachable("no transition leads to it".into()),
            _ => self.fate("no transition to it was taken".into()),
        }
    }

    fn transition(&self, id: TransitionId) -> ChartFate {
        if self
            .transitions
            .get(&id.index())
            .is_some_and(|(_, reached)| *reached)
        {
            return ChartFate::Reached;
        }
        let transition = self.machine.transition(id);
        let source = self.machine.vertex(transition.source);
        if source.is_state() && transition.source != VertexId::TOP {
            let been = self.states.contains(&transition.source.index());
            if !been {
                let path = self.machine.path(transition.source);
                return self.fate(format!("{path} was not reached"));
            }
        } else if !source.is_state() {
            let mut incoming = (0..self.machine.transitions.len())
                .filter(|at| self.machine.transitions[*at].target == Some(transition.source));
            let been = |at: usize| {
                self.transitions
                    .get(&at)
                    .is_some_and(|(_, reached)| *reached)
            };
            if !incoming.any(been) {
                return self.fate("no way to where it begins was taken".into());
            }
        }
        match &transition.guard {
            Some(Guard::When(code)) => {
                let text: Vec<&str> = code.text.split_whitespace().collect();
                self.fate(format!("its guard [{}] did not hold", text.join(" ")))
            }
            Some(Guard::Else) => self.fate("another guard always held".into()),
            None if transition.triggers.is_empty() => self.fate("it was never taken".into()),
            None => self.fate("its message did not come, or another transition took it".into()),
        }
    }
}

fn kind(kind: VertexKind) -> ChartKind {
    match kind {
        VertexKind::State => ChartKind::State,
        VertexKind::Final => ChartKind::Final,
        VertexKind::ShallowHistory | VertexKind::DeepHistory => ChartKind::History,
        VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::EntryPoint
        | VertexKind::ExitPoint => ChartKind::Point,
    }
}
