//! What a state does with a message, which state is asked, and transitions that need none.

use super::ordered;
use crate::generate::dialect;
use crate::generate::functions::Functions;
use crate::generate::text::comment;
use crate::model::{EventId, TransitionId, VertexId, VertexKind};

impl Functions<'_> {
    /// What a state does with an event.
    pub(super) fn write_handler(&mut self, id: VertexId) {
        let plan = self.plan;
        let vertex = plan.vertex(id);
        let words = plan.machine.path(id);
        let name = format!("on_{}", plan.vertices[id.index()]);
        self.text
            .line(&comment(&format!("What {words} does with a message")));
        let message = self.message();
        self.begin("int", &name, &message);
        let mut events = plan.takes(id);
        events.extend(&vertex.deferred);
        events.sort_unstable_by_key(|event| plan.numbers[event.index()]);
        events.dedup();
        self.text
            .line_at("switch (m->signal) {", vertex.place, &words);
        self.text.deeper();
        for event in events {
            self.write_case(id, event);
        }
        self.text.back();
        self.text.line("}");
        self.text.line("return 0;");
        self.end();
        // What it does not take goes to the state around it.
        if let Some(parent) = vertex.parent {
            self.flow(&name, &[parent]);
        }
    }

    fn write_case(&mut self, id: VertexId, event: EventId) {
        let plan = self.plan;
        let vertex = plan.vertex(id);
        let signal = plan.signal(event);
        self.text.line_at(
            &format!("case {signal}: {{"),
            vertex.place,
            &plan.machine.path(id),
        );
        self.text.deeper();
        let take = format!("{}_take_{}(m);", plan.name, plan.events[event.index()]);
        self.text.line(&take);
        let taking = |one: &TransitionId| plan.transition(*one).triggers.contains(&event);
        let transitions: Vec<TransitionId> =
            vertex.outgoing.iter().copied().filter(taking).collect();
        let transitions = ordered(plan, &transitions);
        let guarded = transitions.iter().any(|id| self.guard_of(*id).is_some());
        if guarded {
            dialect::see(self, &[event]);
        }
        let label = plan.capsule.event_label(event);
        let at = format!("{} on {label}", plan.machine.path(id));
        self.deterministic(&transitions, &at);
        let certain = self.write_in_turn(transitions);
        if vertex.deferred.contains(&event) && !certain {
            let defer = self.call("defer", "m");
            self.text.line(&format!("return {defer};"));
        } else if !certain {
            self.text.line("break;");
        }
        self.text.close("}");
    }

    /// Transitions that are asked one after the other; true if one of them is taken for certain.
    pub(super) fn write_in_turn(
        &mut self,
        transitions: impl IntoIterator<Item = TransitionId>,
    ) -> bool {
        for next in transitions {
            let Some((guard, code)) = self.enabled(next) else {
                self.follow(next);
                return true;
            };
            let label = self.plan.label(next);
            self.text
                .line_at(&format!("if ({guard})"), code.place, &label);
            self.text.deeper();
            self.follow(next);
            self.text.back();
        }
        false
    }

    /// From the innermost active state outwards, until one takes the message.
    pub(super) fn write_dispatch(&mut self) {
        let plan = self.plan;
        let message = self.message();
        self.text.line(&comment(
            "The innermost state that has a transition takes the message.",
        ));
        self.begin("int", "dispatch", &message);
        self.remember();
        let at = self.field("at");
        self.text.open(&format!("switch ({at}) {{"));
        for leaf in plan.vertex_ids().skip(1) {
            if !plan.is_leaf(leaf) {
                continue;
            }
            let handlers = plan
                .machine
                .upwards(leaf)
                .filter(|id| plan.has_handler(*id));
            let calls: Vec<String> = handlers
                .map(|id| self.call(&format!("on_{}", plan.vertices[id.index()]), "m"))
                .collect();
            if !calls.is_empty() {
                self.text.line(&format!("case {}:", plan.at(leaf)));
                self.text
                    .line(&format!("    return {};", calls.join(" || ")));
            }
        }
        self.text.close("}");
        self.text.line("return 0;");
        self.end();
        // Nobody knows where the machine is; but where nobody has spoken to it, it is where it began.
        if let Some(initial) = plan.vertex(VertexId::TOP).initial {
            let first = self.qualified(&format!("t{}", initial.0));
            self.flows.push((self.qualified("dispatch"), vec![first]));
        }
    }

    /// Transitions that need no event.
    pub(super) fn write_completion(&mut self) {
        let plan = self.plan;
        let message = self.message();
        self.text.line(&comment(
            "Takes a transition that needs no message, if there is one.",
        ));
        self.begin("int", "complete", &message);
        self.remember();
        self.text.line("(void)m;");
        let at = self.field("at");
        self.text.open(&format!("switch ({at}) {{"));
        for leaf in plan.vertex_ids().skip(1) {
            if !plan.is_leaf(leaf) {
                continue;
            }
            let states: Vec<VertexId> = match plan.model.semantics.eventless {
                true => plan.machine.upwards(leaf).collect(),
                false if plan.vertex(leaf).kind == VertexKind::Final => {
                    plan.vertex(leaf).parent.into_iter().collect()
                }
                false => vec![leaf],
            };
            let by_itself = |id: &TransitionId| plan.transition(*id).triggers.is_empty();
            let lists: Vec<Vec<TransitionId>> = states
                .iter()
                .map(|id| {
                    let outgoing = plan.vertex(*id).outgoing.iter().copied();
                    let outgoing: Vec<TransitionId> = outgoing.filter(by_itself).collect();
                    ordered(plan, &outgoing)
                })
                .filter(|list| !list.is_empty())
                .collect();
            if lists.is_empty() {
                continue;
            }
            self.text.line(&format!("case {}:", plan.at(leaf)));
            self.text.deeper();
            if !self.write_in_turn(lists.into_iter().flatten()) {
                self.text.line("return 0;");
            }
            self.text.back();
        }
        self.text.close("}");
        self.text.line("return 0;");
        self.end();
    }
}
