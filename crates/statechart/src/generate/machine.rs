//! The code of a state machine: what a state does with an event, and what happens on a transition.

mod handlers;

use super::functions::Functions;
use super::plan::Plan;
use super::text::{comment, quoted};
use super::{capsule, dialect, statements};
use crate::model::{
    ActionOrder, BorderTarget, Code, EventId, EventKind, Guard, GuardOrder, TransitionId,
    TransitionKind, VertexId, VertexKind,
};

impl<'a> Functions<'a> {
    /// The whole machine.
    pub fn write(&mut self) {
        let plan = self.plan;
        for id in plan.vertex_ids().skip(1) {
            if plan.vertex(id).is_state() {
                self.write_state(id);
            }
        }
        self.write_leave();
        for id in plan.vertex_ids() {
            self.write_arrival(id);
        }
        for id in plan.transition_ids() {
            self.write_transition(id);
        }
        for id in plan.vertex_ids() {
            if plan.vertex(id).is_state() && plan.has_handler(id) {
                self.write_handler(id);
            }
        }
        self.write_dispatch();
        self.write_completion();
    }

    /// Entry and exit of a state.
    fn write_state(&mut self, id: VertexId) {
        let plan = self.plan;
        let (vertex, name) = (plan.vertex(id), &plan.vertices[id.index()]);
        let words = plan.machine.path(id);
        self.text.line(&comment(&format!("{words} is entered")));
        self.begin("void", &format!("enter_{name}"), "");
        let at = format!("{} = {};", self.field("at"), plan.at(id));
        self.text.line_at(&at, vertex.place, &words);
        self.reached(plan.states[id.index()]);
        statements::write(self, &vertex.entry, &words);
        statements::write(self, &vertex.activity, &words);
        self.end();
        if !Plan::is_silent(&vertex.exit) {
            self.text.line(&comment(&format!("{words} is left")));
            self.begin("void", &format!("exit_{name}"), "");
            statements::write(self, &vertex.exit, &words);
            self.end();
        }
    }

    fn reached(&mut self, element: usize) {
        self.text.line(&format!("elw_reached({element});"));
    }

    /// What a composite remembers is what was active before the first segment of a transition, also where
    /// it is left by a later one.
    fn remember(&mut self) {
        let (at, leaf) = (self.field("at"), self.field("leaf"));
        if self.plan.kept.contains(&true) {
            self.text.line(&format!("{leaf} = {at};"));
        }
    }

    /// From the innermost state outwards up to one that is not left.
    fn write_leave(&mut self) {
        let plan = self.plan;
        let at = self.field("at");
        self.text.line(&comment(
            "Leaves states from the inside, up to one that stays active.",
        ));
        self.begin("void", "leave", "int outermost");
        if plan.kept.contains(&true) {
            let around = capsule::around(plan);
            self.text
                .line(&format!("static const int around[] = {around};"));
        }
        self.text.open(&format!("while ({at} != outermost) {{"));
        self.text.open(&format!("switch ({at}) {{"));
        for id in plan.vertex_ids().skip(1) {
            let vertex = plan.vertex(id);
            if !vertex.is_state() {
                continue;
            }
            self.text.line(&format!("case {}:", plan.at(id)));
            self.text.deeper();
            let name = &plan.vertices[id.index()];
            if plan.kept[id.index()] {
                let (deep, shallow) = (
                    self.field(&format!("deep_{name}")),
                    self.field(&format!("shallow_{name}")),
                );
                let leaf = self.field("leaf");
                self.text
                    .open(&format!("for (int in = {leaf}; in; in = around[in]) {{"));
                self.text
                    .line(&format!("if (around[in] == {})", plan.at(id)));
                self.text
                    .line(&format!("    {deep} = {leaf}, {shallow} = in;"));
                self.text.close("}");
            }
            if !Plan::is_silent(&vertex.exit) {
                let exit = self.call(&format!("exit_{name}"), "");
                self.text.line(&format!("{exit};"));
            }
            let parent = vertex.parent.unwrap_or(VertexId::TOP);
            let element = plan.states[id.index()];
            self.text.line(&format!("elw_left({element});"));
            self.text.line(&format!("{at} = {};", plan.at(parent)));
            self.text.line("break;");
            self.text.back();
        }
        self.text.line("default:");
        self.text.line("    return;");
        self.text.close("}");
        self.text.close("}");
        self.end();
    }

    /// What happens at a vertex that is no place to stay at.
    fn write_arrival(&mut self, id: VertexId) {
        let plan = self.plan;
        let vertex = plan.vertex(id);
        let name = format!("arrive_{}", plan.vertices[id.index()]);
        let message = self.message();
        match vertex.kind {
            VertexKind::State if id == VertexId::TOP || !plan.is_composite(id) => return,
            VertexKind::State => {
                self.begin("int", &name, &message);
                let by_history = plan.model.semantics.border_target == BorderTarget::DeepHistory;
                if by_history && plan.kept[id.index()] {
                    self.restore(id, true, &name);
                }
                match vertex.initial {
                    Some(initial) => self.follow(initial),
                    None => self.text.line("return 1;"),
                }
            }
            VertexKind::Final => {
                self.begin("int", &name, &message);
                self.text.line("(void)m;");
                self.write_final(id);
            }
            VertexKind::Choice | VertexKind::ExitPoint => {
                self.begin("int", &name, &message);
                self.write_ways(id);
            }
            VertexKind::Junction => {
                self.write_pick(id);
                self.begin("int", &name, &message);
                let way = self.field(&format!("way_{}", plan.vertices[id.index()]));
                let pick = self.call(&format!("pick_{}", plan.vertices[id.index()]), "m");
                self.text
                    .line(&format!("int way = {way} ? {way} : {pick};"));
                self.text.line(&format!("{way} = 0;"));
                self.text.open("switch (way) {");
                for (number, next) in (1..).zip(&vertex.outgoing) {
                    self.text.line(&format!("case {number}:"));
                    self.text.deeper();
                    self.follow(*next);
                    self.text.back();
                }
                self.text.close("}");
                self.no_way_on(id);
            }
            VertexKind::EntryPoint if vertex.outgoing.is_empty() => {
                self.begin("int", &name, &message);
                match vertex.parent.filter(|state| *state != VertexId::TOP) {
                    Some(state) => self.arrive(state),
                    None => self.text.line("return 1;"),
                }
            }
            VertexKind::EntryPoint => {
                self.begin("int", &name, &message);
                self.write_ways(id);
            }
            VertexKind::ShallowHistory | VertexKind::DeepHistory => {
                self.begin("int", &name, &message);
                let state = vertex.parent.unwrap_or(VertexId::TOP);
                self.restore(state, vertex.kind == VertexKind::DeepHistory, &name);
                let first = vertex.outgoing.first().copied();
                match first.or(plan.vertex(state).initial) {
                    Some(next) => self.follow(next),
                    None => self.text.line("return 1;"),
                }
            }
        }
        self.end();
    }

    /// Goes on with a transition that needs no event.
    fn follow(&mut self, id: TransitionId) {
        let call = self.call(&format!("t{}", id.0), "m");
        self.text.line(&format!("return {call};"));
    }

    /// Goes on from a vertex that has been reached.
    fn arrive(&mut self, id: VertexId) {
        let plan = self.plan;
        let vertex = plan.vertex(id);
        let rests = vertex.kind == VertexKind::State && !plan.is_composite(id);
        match rests || id == VertexId::TOP {
            true => self.text.line("return 1;"),
            false => {
                let call = self.call(&format!("arrive_{}", plan.vertices[id.index()]), "m");
                self.text.line(&format!("return {call};"));
            }
        }
    }

    /// The state that was last active, if one was.
    fn restore(&mut self, state: VertexId, deep: bool, inside: &str) {
        let plan = self.plan;
        let name = &plan.vertices[state.index()];
        let inner: Vec<VertexId> = match deep {
            true => plan.leaves(state),
            false => {
                let children = plan.vertex(state).children.iter().copied();
                children.filter(|id| plan.vertex(*id).is_state()).collect()
            }
        };
        let field = match deep {
            true => self.field(&format!("deep_{name}")),
            false => self.field(&format!("shallow_{name}")),
        };
        self.text.open(&format!("switch ({field}) {{"));
        for id in inner {
            self.text.line(&format!("case {}:", plan.at(id)));
            self.text.deeper();
            for entered in plan.between(state, id) {
                let name = format!("enter_{}", plan.vertices[entered.index()]);
                let enter = self.call(&name, "");
                self.text.line(&format!("{enter};"));
            }
            self.arrive(id);
            self.text.back();
        }
        self.text.close("}");
        let after = plan.leaves(state);
        self.flow(inside, &after);
    }

    /// After a function, the machine is in one of these states.
    fn flow(&mut self, name: &str, states: &[VertexId]) {
        let plan = self.plan;
        let mut next = Vec::new();
        for state in states {
            let mut up = plan.machine.upwards(*state);
            if let Some(handler) = up.find(|id| plan.has_handler(*id)) {
                next.push(self.qualified(&format!("on_{}", plan.vertices[handler.index()])));
            }
        }
        next.sort();
        next.dedup();
        self.flows.push((self.qualified(name), next));
    }

    fn write_final(&mut self, id: VertexId) {
        let plan = self.plan;
        let parent = plan.vertex(id).parent.unwrap_or(VertexId::TOP);
        if parent == VertexId::TOP {
            let ended = self.field("ended");
            self.text.line(&format!("{ended} = 1;"));
            if plan.model.semantics.exits_at_end {
                let leave = self.call("leave", &plan.at(VertexId::TOP));
                self.text.line(&format!("{leave};"));
            }
        }
        let completes =
            |event: &EventId| plan.capsule.event(*event).kind == EventKind::Completion(parent);
        if let Some(event) = plan.event_ids().find(completes) {
            let raise = self.call("raise", &plan.signal(event));
            self.text.line(&format!("{raise};"));
        }
        self.text.line("return 1;");
    }

    /// The first way whose guard holds; if none does, what the semantics say.
    fn write_ways(&mut self, id: VertexId) {
        let plan = self.plan;
        let vertex = plan.vertex(id);
        let outgoing = ordered(plan, &vertex.outgoing);
        dialect::see(self, &scope_of(plan, &outgoing));
        // Generated code of all formats asks the guards of a choice in turn: overlaps are meant.
        if !self.write_in_turn(outgoing) {
            match plan.model.semantics.choice_may_fall_through {
                true => self.text.line("return 0;"),
                false => self.no_way_on(id),
            }
        }
    }

    fn no_way_on(&mut self, id: VertexId) {
        let plan = self.plan;
        let place = plan.vertex(id).place;
        let words = plan.words(id);
        let message = quoted(&format!(
            "no guard holds at {words}: the machine cannot go on"
        ));
        let file = quoted(&plan.model.file);
        let fail = format!("elsewise_fail({message}, {file}, {});", place.line);
        self.text.check(&fail, place, &words);
    }

    /// Which way out of a junction: its guards are evaluated before anything is done.
    fn write_pick(&mut self, id: VertexId) {
        let plan = self.plan;
        let name = &plan.vertices[id.index()];
        let message = self.message();
        self.begin("int", &format!("pick_{name}"), &message);
        let outgoing = plan.vertex(id).outgoing.clone();
        dialect::see(self, &scope_of(plan, &outgoing));
        for next in ordered(plan, &outgoing) {
            let number = 1 + outgoing.iter().position(|one| *one == next).unwrap_or(0);
            match self.enabled(next) {
                Some((guard, code)) => {
                    let label = plan.label(next);
                    self.text
                        .line_at(&format!("if ({guard})"), code.place, &label);
                    self.text.line(&format!("    return {number};"));
                }
                None => {
                    self.text.line(&format!("return {number};"));
                    break;
                }
            }
        }
        self.text.line("return 0;");
        self.end();
    }

    /// A guard as a condition of C, and where it stands.
    fn guard_of(&self, id: TransitionId) -> Option<(String, &'a Code)> {
        match &self.plan.transition(id).guard {
            Some(Guard::When(code)) => Some((dialect::condition(self.plan, code), code)),
            _ => None,
        }
    }

    /// The same, with what a junction behind it asks for.
    fn enabled(&self, id: TransitionId) -> Option<(String, Code)> {
        let plan = self.plan;
        let own = self.guard_of(id);
        let target = plan.transition(id).target;
        let junction = target.filter(|id| plan.vertex(*id).kind == VertexKind::Junction);
        let Some(junction) = junction else {
            return own.map(|(guard, code)| (guard, code.clone()));
        };
        let name = &plan.vertices[junction.index()];
        let way = self.field(&format!("way_{name}"));
        let pick = self.call(&format!("pick_{name}"), "m");
        let more = format!("({way} = {pick}) != 0");
        Some(match own {
            Some((guard, code)) => (format!("({guard}) && {more}"), code.clone()),
            None => (
                more,
                Code {
                    text: String::new(),
                    place: plan.vertex(junction).place,
                },
            ),
        })
    }

    /// Where any of several transitions could be taken, at most one guard may hold.
    fn deterministic(&mut self, transitions: &[TransitionId], at: &str) {
        let plan = self.plan;
        if plan.model.semantics.guard_order != GuardOrder::Any {
            return;
        }
        let guards: Vec<(String, &Code)> = transitions
            .iter()
            .filter_map(|id| self.guard_of(*id))
            .collect();
        if guards.len() < 2 {
            return;
        }
        let place = guards[0].1.place;
        let sum: Vec<String> = guards
            .iter()
            .map(|(guard, _)| format!("(({guard}) ? 1 : 0)"))
            .collect();
        let text = format!("if ({} > 1)", sum.join(" + "));
        self.text.check(&text, place, at);
        let message = quoted(&format!("two guards hold at once in {at}"));
        let file = quoted(&plan.model.file);
        let fail = format!("    elsewise_fail({message}, {file}, {});", place.line);
        self.text.check(&fail, place, at);
    }

    /// What happens on a transition.
    fn write_transition(&mut self, id: TransitionId) {
        let plan = self.plan;
        let transition = plan.transition(id);
        let label = plan.label(id);
        let message = self.message();
        let name = format!("t{}", id.0);
        self.text.line(&comment(&label));
        self.begin("int", &name, &message);
        self.text.line("(void)m;");
        let Some(target) = transition.target else {
            self.action(id, &label);
            self.text.line("return 1;");
            self.end();
            let source = plan.state_of(transition.source);
            let stays = plan.leaves(source);
            self.flow(&name, &stays);
            return;
        };
        let chooses = plan.chooses_first() && plan.vertex(target).kind == VertexKind::Choice;
        if chooses {
            self.action(id, &label);
            self.arrive(target);
            self.end();
            return;
        }
        let initial = transition.kind == TransitionKind::Initial;
        let leave = self.call("leave", &plan.at(plan.domain(id)));
        let first = plan.model.semantics.action_order == ActionOrder::ActionExitEntry;
        if first {
            self.action(id, &label);
        }
        if !initial {
            self.text.line(&format!("{leave};"));
        }
        if !first {
            self.action(id, &label);
        }
        for entered in plan.entered(id) {
            let enter = self.call(&format!("enter_{}", plan.vertices[entered.index()]), "");
            self.text.line(&format!("{enter};"));
        }
        self.arrive(target);
        self.end();
        if plan.is_leaf(target) {
            self.flow(&name, &[target]);
        }
    }

    fn action(&mut self, id: TransitionId, label: &str) {
        let plan = self.plan;
        let action = &plan.transition(id).action;
        self.reached(plan.transition_element(id));
        if Plan::is_silent(action) {
            return;
        }
        // Action code declares what it likes.
        self.text.open("{");
        dialect::see(self, &plan.scopes[id.index()]);
        statements::write(self, action, label);
        self.text.close("}");
    }
}

/// In the order in which guards are asked: `else` comes last, and so does what has none.
fn ordered(plan: &Plan<'_>, transitions: &[TransitionId]) -> Vec<TransitionId> {
    let mut ordered = transitions.to_vec();
    let first = plan.model.semantics.guard_order == GuardOrder::First;
    ordered.sort_by_key(|id| match plan.transition(*id).guard {
        Some(Guard::When(_)) => 0,
        None if first => 0,
        None => 1,
        Some(Guard::Else) => 2,
    });
    ordered
}

/// Events whose parameters the guards of these transitions can speak of.
fn scope_of(plan: &Plan<'_>, transitions: &[TransitionId]) -> Vec<EventId> {
    let mut events: Vec<EventId> = transitions
        .iter()
        .flat_map(|id| plan.scopes[id.index()].iter().copied())
        .collect();
    events.sort_unstable();
    events.dedup();
    events
}
