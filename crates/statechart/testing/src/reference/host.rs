//! What is between a machine and the code in it: what happened, and what code can do.

use elsewise_statechart::model::{Code, EventId, Machine, Statement, TransitionId, VertexId};

/// One thing that a machine did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Entered(VertexId),
    Exited(VertexId),
    /// The action of a transition was performed, an initial one's too, whether it has one or not.
    Took(TransitionId),
    /// Nobody waited for the event.
    Discarded(EventId),
    Deferred(EventId),
    /// Several transitions could have been taken where the model must not leave that open.
    Ambiguous(VertexId),
    /// No way out of a choice had a guard that holds.
    Stuck(VertexId),
    /// A final state at the top was reached.
    Ended,
}

/// The machine would go on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endless;

/// An event with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventInstance {
    pub event: EventId,
    pub data: Vec<(String, i64)>,
}

/// What code has to do with the machine while it runs.
pub struct Context<'c> {
    pub(super) machine: &'c Machine,
    pub(super) active: VertexId,
    /// What is being handled.
    pub event: Option<EventId>,
    /// Events that the machine gives itself: before and behind those from outside.
    pub raised: Vec<EventId>,
    pub sent: Vec<EventInstance>,
    /// Events that come after a time, with their names for cancelling.
    pub started: Vec<(EventInstance, i64, Option<String>)>,
    pub cancelled: Vec<String>,
}

impl Context<'_> {
    /// Whether a state is active.
    pub fn is_in(&self, state: VertexId) -> bool {
        self.machine.within(self.active, state)
    }
}

/// Who knows what code means.
pub trait Host {
    /// An event is handled next.
    fn given(&mut self, event: EventId, data: &[(String, i64)]);
    fn holds(&mut self, guard: &Code, context: &mut Context) -> bool;
    fn perform(&mut self, statements: &[Statement], context: &mut Context);
}
