//! What a machine does, told as plainly as possible: events in, what is left, done and entered out, in
//! order. It is what generated code is tested against, so it follows `Semantics` and nothing else.
//!
//! There are no orthogonal regions, so that the innermost active vertex says it all. Between two
//! segments of a transition that can also be a composite state without anything active in it.

mod host;
mod scripted;

pub use host::{Context, Endless, EventInstance, Happening, Host};
pub use scripted::Scripted;

use elsewise_statechart::model::{
    ActionOrder, BorderTarget, Capsule, ChoiceTime, EventId, EventKind, Guard, Machine, Semantics,
    Statement, Transition, TransitionId, TransitionKind, VertexId, VertexKind,
};
use std::collections::{HashMap, VecDeque};

/// A machine that does more than this for one event will never come to rest.
const MOST_STEPS: usize = 100_000;

/// Runs the machine of a capsule.
pub struct Interpreter<'m> {
    capsule: &'m Capsule,
    machine: &'m Machine,
    semantics: Semantics,
    active: VertexId,
    /// The innermost state that was active when the transition began: what is remembered of states
    /// that it leaves, in whichever of its segments.
    leaf: VertexId,
    /// For each composite state, the innermost state that was active when it was last left.
    history: HashMap<VertexId, VertexId>,
    internal: VecDeque<EventInstance>,
    external: VecDeque<EventInstance>,
    deferred: Vec<EventInstance>,
    /// Timers that run: when they end, in which order they were started, and what they give.
    timers: Vec<(i64, usize, EventInstance, Option<String>)>,
    started: usize,
    now: i64,
    event: Option<EventId>,
    ended: bool,
    entered: bool,
    steps: usize,
    pub happened: Vec<Happening>,
}

/// What became of a transition.
enum Taken {
    Yes,
    /// A choice behind it led nowhere, and the event goes on to the enclosing state.
    FellThrough,
}

impl<'m> Interpreter<'m> {
    /// A machine that has not begun; None if the capsule has none.
    pub fn new(capsule: &'m Capsule, semantics: Semantics) -> Option<Self> {
        Some(Self {
            capsule,
            machine: capsule.machine.as_ref()?,
            semantics,
            active: VertexId::TOP,
            leaf: VertexId::TOP,
            history: HashMap::new(),
            internal: VecDeque::new(),
            external: VecDeque::new(),
            deferred: Vec::new(),
            timers: Vec::new(),
            started: 0,
            now: 0,
            event: None,
            ended: false,
            entered: false,
            steps: 0,
            happened: Vec::new(),
        })
    }

    /// The innermost active state.
    pub fn active(&self) -> VertexId {
        self.active
    }

    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Begins: the initial transition of the machine, and all that follows by itself.
    pub fn start(&mut self, host: &mut dyn Host) -> Result<(), Endless> {
        self.steps = 0;
        self.perform(&self.machine.vertex(VertexId::TOP).entry, host);
        self.settle(VertexId::TOP, host)?;
        self.rest(host)
    }

    /// Gives the machine an event, and lets it do all that follows.
    pub fn give(&mut self, event: EventId, host: &mut dyn Host) -> Result<(), Endless> {
        let data = Vec::new();
        self.give_with(EventInstance { event, data }, host)
    }

    /// The same for an event with parameters.
    pub fn give_with(&mut self, given: EventInstance, host: &mut dyn Host) -> Result<(), Endless> {
        self.external.push_back(given);
        self.rest(host)
    }

    /// Lets time pass until the next timer ends; false if none runs.
    pub fn elapse(&mut self, host: &mut dyn Host) -> Result<bool, Endless> {
        let next = (0..self.timers.len()).min_by_key(|at| {
            let (when, order, ..) = &self.timers[*at];
            (*when, *order)
        });
        let Some(next) = next.filter(|_| !self.ended) else {
            return Ok(false);
        };
        let (when, _, given, _) = self.timers.remove(next);
        self.now = self.now.max(when);
        self.give_with(given, host)?;
        Ok(true)
    }

    /// Lets so many milliseconds pass, with the timers that end in them.
    pub fn pass(&mut self, milliseconds: i64, host: &mut dyn Host) -> Result<(), Endless> {
        let until = self.now + milliseconds;
        while !self.ended && self.timers.iter().any(|(when, ..)| *when <= until) {
            self.elapse(host)?;
        }
        self.now = until;
        Ok(())
    }

    /// Handles all that waits.
    fn rest(&mut self, host: &mut dyn Host) -> Result<(), Endless> {
        self.steps = 0;
        self.by_itself(host)?;
        while !self.ended {
            let Some(event) = self.external.pop_front() else {
                break;
            };
            let before = self.active;
            let happened = self.happened.len();
            self.dispatch(event, host)?;
            self.by_itself(host)?;
            let moved = self.happened[happened..]
                .iter()
                .any(|it| matches!(it, Happening::Exited(_) | Happening::Entered(_)));
            if moved || before != self.active {
                for event in self.deferred.drain(..).rev() {
                    self.external.push_front(event);
                }
            }
        }
        Ok(())
    }

    /// What happens without an event from outside.
    fn by_itself(&mut self, host: &mut dyn Host) -> Result<(), Endless> {
        while !self.ended {
            self.step()?;
            if self.semantics.eventless {
                if self.without_event(host)? {
                    continue;
                }
            } else if std::mem::take(&mut self.entered) && self.on_completion(host)? {
                continue;
            }
            match self.internal.pop_front() {
                Some(event) => self.dispatch(event, host)?,
                None => break,
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Endless> {
        self.steps += 1;
        match self.steps > MOST_STEPS {
            true => Err(Endless),
            false => Ok(()),
        }
    }

    /// SCXML's transitions without an event.
    fn without_event(&mut self, host: &mut dyn Host) -> Result<bool, Endless> {
        let machine = self.machine;
        self.event = None;
        for state in machine.upwards(self.active) {
            if self.take_one(state, None, host)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// UML's completion: of a simple state when it was entered, of a composite one at its final
    /// state.
    fn on_completion(&mut self, host: &mut dyn Host) -> Result<bool, Endless> {
        let active = self.machine.vertex(self.active);
        let complete = match active.kind {
            VertexKind::Final => active.parent,
            VertexKind::State => Some(self.active),
            _ => None,
        };
        match complete {
            Some(state) => self.take_one(state, None, host),
            None => Ok(false),
        }
    }

    fn dispatch(&mut self, given: EventInstance, host: &mut dyn Host) -> Result<(), Endless> {
        self.step()?;
        let event = given.event;
        self.event = Some(event);
        host.given(event, &given.data);
        let machine = self.machine;
        let mut handled = false;
        for state in machine.upwards(self.active) {
            if self.take_one(state, Some(event), host)? {
                handled = true;
                break;
            }
            if machine.vertex(state).deferred.contains(&event) {
                self.deferred.push(given);
                self.happened.push(Happening::Deferred(event));
                handled = true;
                break;
            }
        }
        if !handled {
            self.happened.push(Happening::Discarded(event));
        }
        Ok(())
    }

    /// Takes one of a state's own transitions for an event, or for none, if one can be taken.
    fn take_one(
        &mut self,
        state: VertexId,
        event: Option<EventId>,
        host: &mut dyn Host,
    ) -> Result<bool, Endless> {
        let machine = self.machine;
        let mut ways: Vec<Vec<TransitionId>> = Vec::new();
        for id in &machine.vertex(state).outgoing {
            let transition = machine.transition(*id);
            let fits = match event {
                Some(event) => transition.triggers.contains(&event),
                None => transition.triggers.is_empty(),
            };
            if fits && self.holds(transition, host) {
                ways.extend(self.way(*id, host));
            }
        }
        let any = self.semantics.guard_order == elsewise_statechart::model::GuardOrder::Any;
        if ways.len() > 1 && any {
            self.happened.push(Happening::Ambiguous(state));
        }
        for way in ways {
            if let Taken::Yes = self.take(&way, host)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn holds(&mut self, transition: &Transition, host: &mut dyn Host) -> bool {
        match &transition.guard {
            Some(Guard::When(code)) => self.with_context(|context| host.holds(code, context)),
            Some(Guard::Else) | None => true,
        }
    }

    /// The way out of a choice or a junction, by its guards as they are now.
    fn way_out(&mut self, vertex: VertexId, host: &mut dyn Host) -> Option<TransitionId> {
        let machine = self.machine;
        let outgoing = &machine.vertex(vertex).outgoing;
        let mut holding = Vec::new();
        for id in outgoing {
            let transition = machine.transition(*id);
            if !matches!(transition.guard, Some(Guard::Else)) && self.holds(transition, host) {
                holding.push(*id);
            }
        }
        if holding.len() > 1
            && self.semantics.guard_order == elsewise_statechart::model::GuardOrder::Any
        {
            self.happened.push(Happening::Ambiguous(vertex));
        }
        let otherwise = outgoing
            .iter()
            .find(|id| matches!(machine.transition(**id).guard, Some(Guard::Else)));
        holding.first().or(otherwise).copied()
    }

    /// A transition and those behind the junctions that it leads to, decided before it is taken.
    fn way(&mut self, first: TransitionId, host: &mut dyn Host) -> Option<Vec<TransitionId>> {
        let mut way = vec![first];
        let mut last = first;
        while let Some(target) = self.machine.transition(last).target {
            if self.machine.vertex(target).kind != VertexKind::Junction || way.len() > MOST_STEPS {
                break;
            }
            last = self.way_out(target, host)?;
            way.push(last);
        }
        Some(way)
    }

    fn take(&mut self, way: &[TransitionId], host: &mut dyn Host) -> Result<Taken, Endless> {
        self.leaf = self.active;
        match self.semantics.choice_time {
            ChoiceTime::BeforeExit => self.take_at_once(way, host),
            ChoiceTime::WhenReached => {
                for id in way {
                    self.segment(*id, host)?;
                }
                let end = way
                    .last()
                    .and_then(|id| self.machine.transition(*id).target);
                if let Some(end) = end {
                    self.settle(end, host)?;
                }
                Ok(Taken::Yes)
            }
        }
    }

    /// QM's way: all actions and choices first, in the source state, then exits and entries.
    fn take_at_once(
        &mut self,
        way: &[TransitionId],
        host: &mut dyn Host,
    ) -> Result<Taken, Endless> {
        let machine = self.machine;
        let source = machine.transition(way[0]).source;
        let mut way = way.to_vec();
        let mut at = 0;
        while at < way.len() {
            self.step()?;
            let transition = machine.transition(way[at]);
            self.did(way[at], host);
            let Some(target) = transition.target else {
                return Ok(Taken::Yes);
            };
            at += 1;
            if at == way.len() && machine.vertex(target).kind == VertexKind::Choice {
                match self.way_out(target, host) {
                    Some(next) => way.push(next),
                    None if self.semantics.choice_may_fall_through => {
                        return Ok(Taken::FellThrough);
                    }
                    None => {
                        self.happened.push(Happening::Stuck(target));
                        return Ok(Taken::Yes);
                    }
                }
            }
            if at == way.len() {
                let domain = self.domain(source, target, transition.kind);
                self.exit_to(domain, host);
                self.enter(target, host);
                self.settle(target, host)?;
            }
        }
        Ok(Taken::Yes)
    }

    /// One segment of a transition: exits, its action and entries, in the order of the semantics.
    fn segment(&mut self, id: TransitionId, host: &mut dyn Host) -> Result<(), Endless> {
        self.step()?;
        let transition = self.machine.transition(id);
        let Some(target) = transition.target else {
            self.did(id, host);
            return Ok(());
        };
        let domain = self.domain(transition.source, target, transition.kind);
        if self.semantics.action_order == ActionOrder::ActionExitEntry {
            self.did(id, host);
        }
        self.exit_to(domain, host);
        if self.semantics.action_order == ActionOrder::ExitActionEntry {
            self.did(id, host);
        }
        self.enter(target, host);
        Ok(())
    }

    /// The innermost state that a transition does not leave.
    fn domain(&self, source: VertexId, target: VertexId, kind: TransitionKind) -> VertexId {
        let machine = self.machine;
        if kind == TransitionKind::Local {
            for (inner, outer) in [(target, source), (source, target)] {
                if machine.within(inner, outer) {
                    return outer;
                }
            }
        }
        machine
            .upwards(source)
            .skip(1)
            .find(|outer| machine.within(target, *outer) && *outer != target)
            .unwrap_or(VertexId::TOP)
    }

    fn exit_to(&mut self, domain: VertexId, host: &mut dyn Host) {
        let machine = self.machine;
        let leaving: Vec<VertexId> = machine
            .upwards(self.active)
            .take_while(|state| *state != domain)
            .collect();
        for state in &leaving {
            if *state != self.leaf && machine.within(self.leaf, *state) {
                self.history.insert(*state, self.leaf);
            }
        }
        for state in leaving {
            self.perform(&machine.vertex(state).exit, host);
            self.happened.push(Happening::Exited(state));
            self.active = machine.vertex(state).parent.unwrap_or(VertexId::TOP);
        }
    }

    /// Enters all states from the active one down to a vertex, and the vertex if it is a state.
    fn enter(&mut self, target: VertexId, host: &mut dyn Host) {
        let machine = self.machine;
        let active = self.active;
        let mut entering: Vec<VertexId> = machine
            .upwards(target)
            .take_while(|state| *state != active)
            .filter(|state| machine.vertex(*state).is_state())
            .collect();
        entering.reverse();
        for state in entering {
            self.active = state;
            self.entered = true;
            let vertex = machine.vertex(state);
            self.happened.push(Happening::Entered(state));
            self.perform(&vertex.entry, host);
            self.perform(&vertex.activity, host);
            if vertex.kind == VertexKind::Final {
                self.finished(vertex.parent, host);
            }
        }
    }

    /// A final state was entered.
    fn finished(&mut self, parent: Option<VertexId>, host: &mut dyn Host) {
        if parent == Some(VertexId::TOP) {
            self.ended = true;
            self.happened.push(Happening::Ended);
            if self.semantics.exits_at_end {
                self.exit_at_end(host);
            }
            return;
        }
        let done = self.capsule.events.iter().position(|event| {
            parent.is_some_and(|parent| event.kind == EventKind::Completion(parent))
        });
        self.internal.extend(done.map(EventId::of).map(plain));
    }

    /// At the end the exits are performed, but what was last active stays to be seen.
    fn exit_at_end(&mut self, host: &mut dyn Host) {
        let machine = self.machine;
        for state in machine.upwards(self.active) {
            self.perform(&machine.vertex(state).exit, host);
        }
    }

    /// Goes on from a vertex that was reached until a state is that has nothing more to enter.
    fn settle(&mut self, reached: VertexId, host: &mut dyn Host) -> Result<(), Endless> {
        let machine = self.machine;
        let mut at = reached;
        loop {
            self.step()?;
            let vertex = machine.vertex(at);
            let parent = vertex.parent.unwrap_or(VertexId::TOP);
            let next = match vertex.kind {
                VertexKind::Final => return Ok(()),
                VertexKind::State => match self.history.get(&at).copied() {
                    Some(leaf) if self.semantics.border_target == BorderTarget::DeepHistory => {
                        self.enter(leaf, host);
                        return Ok(());
                    }
                    _ => match vertex.initial {
                        Some(initial) => initial,
                        None => return Ok(()),
                    },
                },
                VertexKind::DeepHistory | VertexKind::ShallowHistory => {
                    let leaf = self.history.get(&parent).copied();
                    match (leaf, vertex.kind) {
                        (Some(leaf), VertexKind::DeepHistory) => {
                            self.enter(leaf, host);
                            return Ok(());
                        }
                        (Some(leaf), _) => {
                            let child = machine
                                .upwards(leaf)
                                .find(|state| machine.vertex(*state).parent == Some(parent));
                            at = child.unwrap_or(leaf);
                            self.enter(at, host);
                            continue;
                        }
                        (None, _) => {
                            let default = vertex.outgoing.first().copied();
                            match default.or(machine.vertex(parent).initial) {
                                Some(transition) => transition,
                                None => return Ok(()),
                            }
                        }
                    }
                }
                VertexKind::Choice | VertexKind::Junction => match self.way_out(at, host) {
                    Some(transition) => transition,
                    None => {
                        self.happened.push(Happening::Stuck(at));
                        return Ok(());
                    }
                },
                VertexKind::EntryPoint | VertexKind::ExitPoint => match vertex.outgoing.first() {
                    Some(transition) => *transition,
                    None => {
                        at = parent;
                        continue;
                    }
                },
            };
            let transition = machine.transition(next);
            let Some(target) = transition.target else {
                self.did(next, host);
                return Ok(());
            };
            if transition.kind == TransitionKind::Initial {
                self.did(next, host);
                self.enter(target, host);
            } else {
                self.segment(next, host)?;
            }
            at = target;
        }
    }

    fn did(&mut self, id: TransitionId, host: &mut dyn Host) {
        self.happened.push(Happening::Took(id));
        self.perform(&self.machine.transition(id).action, host);
    }

    fn perform(&mut self, statements: &[Statement], host: &mut dyn Host) {
        if !statements.is_empty() {
            self.with_context(|context| host.perform(statements, context));
        }
    }

    fn with_context<R>(&mut self, work: impl FnOnce(&mut Context) -> R) -> R {
        let mut context = Context {
            machine: self.machine,
            active: self.active,
            event: self.event,
            raised: Vec::new(),
            sent: Vec::new(),
            started: Vec::new(),
            cancelled: Vec::new(),
        };
        let result = work(&mut context);
        let (raised, sent) = (context.raised, context.sent);
        let (started, cancelled) = (context.started, context.cancelled);
        match self.semantics.internal_first {
            true => self.internal.extend(raised.into_iter().map(plain)),
            false => self.external.extend(raised.into_iter().map(plain)),
        }
        self.external.extend(sent);
        for (event, delay, id) in started {
            self.timers
                .push((self.now + delay, self.started, event, id));
            self.started += 1;
        }
        self.timers
            .retain(|(.., id)| id.as_ref().is_none_or(|id| !cancelled.contains(id)));
        result
    }
}

/// An event without parameters.
fn plain(event: EventId) -> EventInstance {
    EventInstance {
        event,
        data: Vec::new(),
    }
}
