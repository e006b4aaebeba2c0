//! In what the formats differ, as far as what is drawn alike means different things.
//!
//! Where a comment says QEP, it is the event processor of QP/C (`qep_hsm.c`, `qep_msm.c`); PSiCC2 is
//! "Practical UML Statecharts in C/C++", 2nd edition, by M. Samek, whose chapters 2 and 4 describe
//! it. UML is version 2.5.1, chapter 14. SCXML is the W3C recommendation of 2015, whose appendix D is
//! an algorithm. Papyrus-RT's flattening of state machines is documented in its code generator and in
//! E. Posse, "Flattening UML-RT State Machines", technical report ZTR-2014-EP-001.

/// What a machine does where its picture alone does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    pub action_order: ActionOrder,
    pub border_target: BorderTarget,
    pub choice_time: ChoiceTime,
    pub guard_order: GuardOrder,
    pub unhandled: Unhandled,
    /// If no guard of a trigger's choice holds, the event goes on to the enclosing state. QM: yes
    /// (`Q_UNHANDLED()` at the end of a chain without `else`). UML-RT, SCXML: an event for which no
    /// transition is enabled as a whole goes on; a choice that was reached must lead on.
    pub choice_may_fall_through: bool,
    /// A final state inside of a state raises an event (SCXML's `done.state.ID`), and transitions
    /// without a trigger are taken whenever their guard holds, not only on completion. SCXML: yes.
    /// In UML a transition without a trigger waits until its source is complete, and is taken then
    /// without any event. QM has neither.
    pub eventless: bool,
    /// Events that the machine raises itself come before any from outside (SCXML's internal queue).
    pub internal_first: bool,
    /// Reaching a final state at the top ends the machine: nothing is handled any more, and all
    /// active states are left (SCXML, appendix D, `exitInterpreter`). UML: it ends, without exits.
    pub exits_at_end: bool,
}

/// When what stands at a transition is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionOrder {
    /// Exits from the inside, then the transition's action, then entries. UML 14.2.3.9.6, SCXML
    /// appendix D (`exitStates`, `executeTransitionContent`, `enterStates`).
    ExitActionEntry,
    /// The transition's action first, still in the source state, then exits, then entries. QEP:
    /// the action stands in the state's handler before `Q_TRAN()` is even called (PSiCC2, 2.4.3,
    /// which names it as a departure from UML).
    ActionExitEntry,
}

/// Where a transition leads that ends at the border of a composite state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BorderTarget {
    /// To where its initial transition leads. QM, SCXML, UML.
    Initial,
    /// To the innermost state that was active when it was last left, and to where its initial
    /// transition leads the first time. UML-RT, for borders from both sides, and for entry and exit
    /// points that have no way on (Papyrus-RT: `redirectIncomingTransitionsToHistory`).
    DeepHistory,
}

/// When guards behind a choice point are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceTime {
    /// After the source was left and the actions on the way to the choice were done. UML's choice.
    WhenReached,
    /// After the actions on the way, but before anything is left: the final target decides what
    /// is. QM: choices are `if` statements in the handler of the source state.
    BeforeExit,
}

/// Which of several transitions for the same event, whose guards all hold, is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardOrder {
    /// The first of the file. SCXML (document order), QM (an `if` chain).
    First,
    /// Any: it is an error of the model if two hold. UML.
    Any,
}

/// What an event is for which no active state has a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unhandled {
    /// Thrown away, as meant. QM (`QHsm_top`), SCXML.
    Discarded,
    /// Thrown away, with a complaint of the run-time system. UML-RT (`unexpectedMessage`).
    Complaint,
}

impl Semantics {
    /// QM, by QEP.
    pub const QM: Self = Self {
        action_order: ActionOrder::ActionExitEntry,
        border_target: BorderTarget::Initial,
        choice_time: ChoiceTime::BeforeExit,
        guard_order: GuardOrder::First,
        unhandled: Unhandled::Discarded,
        choice_may_fall_through: true,
        eventless: false,
        internal_first: false,
        exits_at_end: false,
    };

    /// UML-RT, as Papyrus-RT has it.
    pub const UML_RT: Self = Self {
        action_order: ActionOrder::ExitActionEntry,
        border_target: BorderTarget::DeepHistory,
        choice_time: ChoiceTime::WhenReached,
        guard_order: GuardOrder::Any,
        unhandled: Unhandled::Complaint,
        choice_may_fall_through: false,
        eventless: false,
        internal_first: false,
        exits_at_end: false,
    };

    /// SCXML, by appendix D.
    pub const SCXML: Self = Self {
        action_order: ActionOrder::ExitActionEntry,
        border_target: BorderTarget::Initial,
        choice_time: ChoiceTime::WhenReached,
        guard_order: GuardOrder::First,
        unhandled: Unhandled::Discarded,
        choice_may_fall_through: false,
        eventless: true,
        internal_first: true,
        exits_at_end: true,
    };
}
