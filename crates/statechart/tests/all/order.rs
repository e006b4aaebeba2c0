//! The order of exits, actions and entries in cases that are easily got wrong, with the source of what
//! is expected.

use crate::support::lines::machine;
use crate::support::runs;
use elsewise_statechart::model::Format;
use elsewise_statechart::read_text;
use elsewise_statechart_testing::random;

/// The machine with which QP tests itself: every kind of transition between six nested states.
/// Source: M. Samek, PSiCC2, figure 2.11, and the log that QP/C 8.1.5 has of its example `qhsmtst`
/// (the same for QMsm, `qmsmtst`).
const SIX_STATES: &str = "
    state s
    state s1 in s
    state s11 in s1
    state s2 in s
    state s21 in s2
    state s211 in s21
    choice c1
    choice c2 in s
    choice c3 in s1
    choice c4 in s
    initial M -> s2 / top_INIT()
    initial s -> s11
    initial s1 -> s11
    initial s2 -> s211
    initial s21 -> s211
    s -> c1 on I
    internal c1 [x] / x = 0; s_I()
    s -> s11 on E / s_E()
    internal s1 on I / s1_I()
    s1 -> c2 on D
    c2 -> s [!x] / x = 1; s1_D()
    s1 -> s1 on A / s1_A()
    s1 -> s11 on B / s1_B()
    s1 -> s211 on F / s1_F()
    s1 -> s2 on C / s1_C()
    s11 -> s on H / s11_H()
    s11 -> c3 on D
    c3 -> s1 [x] / x = 0; s11_D()
    s11 -> s211 on G / s11_G()
    s2 -> c4 on I
    internal c4 [!x] / x = 1; s2_I()
    s2 -> s11 on F / s2_F()
    s2 -> s1 on C / s2_C()
    s21 -> s1 on G / s21_G()
    s21 -> s21 on A / s21_A()
    s21 -> s211 on B / s21_B()
    s211 -> s on H / s211_H()
    s211 -> s21 on D / s211_D()
";

const SIX_STATES_LOG: &[(&str, &str)] = &[
    ("", "top_INIT s_ENTRY s2_ENTRY s2_INIT s21_ENTRY s211_ENTRY"),
    (
        "A",
        "s21_A s211_EXIT s21_EXIT s21_ENTRY s21_INIT s211_ENTRY",
    ),
    ("B", "s21_B s211_EXIT s211_ENTRY"),
    ("D", "s211_D s211_EXIT s21_INIT s211_ENTRY"),
    ("E", "s_E s211_EXIT s21_EXIT s2_EXIT s1_ENTRY s11_ENTRY"),
    ("I", "s1_I"),
    ("F", "s1_F s11_EXIT s1_EXIT s2_ENTRY s21_ENTRY s211_ENTRY"),
    ("I", "s2_I"),
    // The guard of s2 does not hold any more: the event goes on to s.
    ("I", "s_I"),
    ("F", "s2_F s211_EXIT s21_EXIT s2_EXIT s1_ENTRY s11_ENTRY"),
    ("A", "s1_A s11_EXIT s1_EXIT s1_ENTRY s1_INIT s11_ENTRY"),
    ("B", "s1_B s11_EXIT s11_ENTRY"),
    // To an enclosing state: it is not left, but its initial transition is taken.
    ("D", "s1_D s11_EXIT s1_EXIT s_INIT s1_ENTRY s11_ENTRY"),
    ("D", "s11_D s11_EXIT s1_INIT s11_ENTRY"),
    ("E", "s_E s11_EXIT s1_EXIT s1_ENTRY s11_ENTRY"),
    ("G", "s11_G s11_EXIT s1_EXIT s2_ENTRY s21_ENTRY s211_ENTRY"),
    (
        "H",
        "s211_H s211_EXIT s21_EXIT s2_EXIT s_INIT s1_ENTRY s11_ENTRY",
    ),
    ("H", "s11_H s11_EXIT s1_EXIT s_INIT s1_ENTRY s11_ENTRY"),
    (
        "C",
        "s1_C s11_EXIT s1_EXIT s2_ENTRY s2_INIT s21_ENTRY s211_ENTRY",
    ),
    (
        "G",
        "s21_G s211_EXIT s21_EXIT s2_EXIT s1_ENTRY s1_INIT s11_ENTRY",
    ),
    (
        "C",
        "s1_C s11_EXIT s1_EXIT s2_ENTRY s2_INIT s21_ENTRY s211_ENTRY",
    ),
    (
        "C",
        "s2_C s211_EXIT s21_EXIT s2_EXIT s1_ENTRY s1_INIT s11_ENTRY",
    ),
];

fn check(format: Format, lines: &str, log: &[(&str, &str)]) {
    let model = machine(format, lines);
    let events: Vec<&str> = log[1..].iter().map(|(event, _)| *event).collect();
    let expected: Vec<&str> = log.iter().map(|(_, calls)| *calls).collect();
    assert_eq!(runs(&model, &events), expected);
}

#[test]
fn qm_does_what_qp_does() {
    check(Format::Qm, SIX_STATES, SIX_STATES_LOG);
}

#[test]
fn qm_does_it_when_read_from_a_file_too() {
    let text = random::write_qm(&machine(Format::Qm, SIX_STATES));
    let model = read_text("six.qm", &text).unwrap().model;
    let events: Vec<&str> = SIX_STATES_LOG[1..]
        .iter()
        .map(|(event, _)| *event)
        .collect();
    let expected: Vec<&str> = SIX_STATES_LOG.iter().map(|(_, calls)| *calls).collect();
    assert_eq!(runs(&model, &events), expected);
}

/// Source: the log of QP/C's example `history`, a toaster oven: a door that is opened and closed leads
/// back to what was active inside.
#[test]
fn qm_goes_back_to_history() {
    let lines = "
        state closed
        state heating in closed
        state toasting in heating
        state baking in heating
        state off in closed
        state open
        history H in closed
        deep D in closed
        initial M -> closed
        initial closed -> off
        initial heating -> toasting
        local H -> off
        local D -> off
        closed -> baking on BAKE
        closed -> open on OPEN
        open -> H on SHALLOW
        open -> D on DEEP
    ";
    check(
        Format::Qm,
        lines,
        &[
            ("", "M_INIT closed_ENTRY closed_INIT off_ENTRY"),
            ("OPEN", "off_EXIT closed_EXIT open_ENTRY"),
            ("DEEP", "open_EXIT closed_ENTRY off_ENTRY"),
            ("BAKE", "off_EXIT heating_ENTRY baking_ENTRY"),
            ("OPEN", "baking_EXIT heating_EXIT closed_EXIT open_ENTRY"),
            ("DEEP", "open_EXIT closed_ENTRY heating_ENTRY baking_ENTRY"),
            ("OPEN", "baking_EXIT heating_EXIT closed_EXIT open_ENTRY"),
            // Shallow history knows the state inside only, and begins anew in that.
            (
                "SHALLOW",
                "open_EXIT closed_ENTRY heating_ENTRY heating_INIT toasting_ENTRY",
            ),
        ],
    );
}

/// Source: UML 2.5.1, 14.2.3.9.6: exits from the inside, then the action, then entries from the
/// outside; Papyrus-RT's flattening makes chains of actions in this order.
#[test]
fn umlrt_leaves_then_acts_then_enters() {
    let lines = "
        state a
        state a1 in a
        state a11 in a1
        state b
        state b1 in b
        initial M -> a
        initial a -> a1
        initial a1 -> a11
        a11 -> b1 on DEEP / deep()
        a -> a on SELF / self()
        internal a1 on INSIDE / inside()
    ";
    check(
        Format::UmlRt,
        lines,
        &[
            ("", "M_INIT a_ENTRY a_INIT a1_ENTRY a1_INIT a11_ENTRY"),
            ("INSIDE", "inside"),
            // To itself, at the border: back to where it was by deep history.
            (
                "SELF",
                "a11_EXIT a1_EXIT a_EXIT self a_ENTRY a1_ENTRY a11_ENTRY",
            ),
            ("DEEP", "a11_EXIT a1_EXIT a_EXIT deep b_ENTRY b1_ENTRY"),
        ],
    );
}

/// Source: Papyrus-RT, `StateNestingFlattener.redirectIncomingTransitionsToHistory`: what ends at a
/// border, or at an entry point without a way on, leads to deep history, and to the initial
/// transition if the state was never active.
#[test]
fn umlrt_borders_are_deep_history() {
    let lines = "
        state off
        state run
        state low in run
        state high in run
        state highest in high
        entry again in run
        entry top in run
        exit out in run
        initial M -> off
        initial run -> low
        initial high -> highest
        off -> run on GO
        off -> again on AGAIN
        off -> top on TOP / up()
        top -> high / inner()
        low -> high on MORE
        highest -> out on LEAVE / leaving()
        out -> off / left()
        run -> off on STOP / stop()
    ";
    check(
        Format::UmlRt,
        lines,
        &[
            ("", "M_INIT off_ENTRY"),
            ("GO", "off_EXIT run_ENTRY run_INIT low_ENTRY"),
            ("MORE", "low_EXIT high_ENTRY high_INIT highest_ENTRY"),
            ("STOP", "highest_EXIT high_EXIT run_EXIT stop off_ENTRY"),
            ("GO", "off_EXIT run_ENTRY high_ENTRY highest_ENTRY"),
            // Through an exit point: one segment inside of the state, one outside.
            (
                "LEAVE",
                "highest_EXIT high_EXIT leaving run_EXIT left off_ENTRY",
            ),
            ("AGAIN", "off_EXIT run_ENTRY high_ENTRY highest_ENTRY"),
            ("STOP", "highest_EXIT high_EXIT run_EXIT stop off_ENTRY"),
            // Through an entry point with a way on; its end is a border again.
            (
                "TOP",
                "off_EXIT up run_ENTRY inner high_ENTRY highest_ENTRY",
            ),
        ],
    );
}

/// Source: Papyrus-RT, `StateNestingFlattener.annotateExplicitExitTransitions`: a way to an exit point
/// saves what it came from, before the state itself is left.
#[test]
fn umlrt_remembers_what_was_active_before_an_exit_point() {
    let lines = "
        state off
        state run
        state low in run
        state high in run
        exit out in run
        initial M -> off
        initial run -> low
        off -> run on GO
        run -> off on STOP
        low -> high on MORE
        high -> low on LESS
        low -> out on QUIT
        out -> off
    ";
    check(
        Format::UmlRt,
        lines,
        &[
            ("", "M_INIT off_ENTRY"),
            ("GO", "off_EXIT run_ENTRY run_INIT low_ENTRY"),
            ("MORE", "low_EXIT high_ENTRY"),
            ("STOP", "high_EXIT run_EXIT off_ENTRY"),
            ("GO", "off_EXIT run_ENTRY high_ENTRY"),
            ("LESS", "high_EXIT low_ENTRY"),
            ("QUIT", "low_EXIT run_EXIT off_ENTRY"),
            ("GO", "off_EXIT run_ENTRY low_ENTRY"),
        ],
    );
}

/// Source: Papyrus-RT, `moveEntryActionsToIncomingTransitions`: entries and exits of a state belong
/// to transitions that the state does not own itself.
#[test]
fn umlrt_transitions_of_a_state_s_own_region_do_not_leave_it() {
    let lines = "
        state a
        state a1 in a
        state a2 in a
        initial M -> a
        initial a -> a1
        local a -> a2 on IN / in()
        local a2 -> a on BORDER / border()
    ";
    check(
        Format::UmlRt,
        lines,
        &[
            ("", "M_INIT a_ENTRY a_INIT a1_ENTRY"),
            ("IN", "a1_EXIT in a2_ENTRY"),
            // At the border from inside, where nothing was left before: the initial transition.
            ("BORDER", "a2_EXIT border a_INIT a1_ENTRY"),
        ],
    );
}

/// Source: UML 2.5.1, 14.2.3.7: a choice is decided when it is reached, after what was done on the
/// way; a junction before anything is done.
#[test]
fn umlrt_choices_see_what_was_done_on_the_way() {
    let lines = "
        state a
        state b
        state c
        choice dynamic
        junction static
        initial M -> a
        a -> dynamic on D / x = 1
        dynamic -> b [x] / one()
        dynamic -> c [else] / zero()
        b -> static on S / x = 0
        static -> a [x] / one()
        static -> c [!x] / zero()
    ";
    check(
        Format::UmlRt,
        lines,
        &[
            ("", "M_INIT a_ENTRY"),
            ("D", "a_EXIT one b_ENTRY"),
            ("S", "b_EXIT one a_ENTRY"),
        ],
    );
}

/// Source: UML 2.5.1, 14.2.3.4.4 and 14.2.3.9.3: a deferred event waits until it is not deferred any
/// more, an inner state comes before an outer one, and completion before any event.
#[test]
fn uml_defers_and_completes() {
    let lines = "
        state busy
        state step in busy
        final done in busy
        state idle
        state served
        defer busy CALL
        initial M -> busy
        initial busy -> step
        step -> done on NEXT
        busy -> idle / complete()
        idle -> served on CALL / call()
    ";
    check(
        Format::UmlRt,
        lines,
        &[
            ("", "M_INIT busy_ENTRY busy_INIT step_ENTRY"),
            ("CALL", ""),
            (
                "NEXT",
                "step_EXIT done_ENTRY done_EXIT busy_EXIT complete idle_ENTRY idle_EXIT call \
                 served_ENTRY",
            ),
        ],
    );
}

/// Source: SCXML, 3.13 and appendix D: a transition from a state to what is inside of it leaves it,
/// unless it is internal; transitions without events are taken before anything else is looked at; and
/// at the end all that is active is left.
#[test]
fn scxml_does_what_its_algorithm_does() {
    let lines = "
        state a
        state a1 in a
        state a2 in a
        state b
        final end
        initial M -> a
        initial a -> a1
        a -> a2 on EXTERNAL / external()
        local a -> a2 on INTERNAL / internal_()
        internal a on NONE / none()
        a -> b on GO
        b -> end [1] / by_itself()
    ";
    check(
        Format::Scxml,
        lines,
        &[
            ("", "M_INIT a_ENTRY a_INIT a1_ENTRY"),
            ("NONE", "none"),
            ("INTERNAL", "a1_EXIT internal_ a2_ENTRY"),
            ("EXTERNAL", "a2_EXIT a_EXIT external a_ENTRY a2_ENTRY"),
            (
                "GO",
                "a2_EXIT a_EXIT b_ENTRY b_EXIT by_itself end_ENTRY end_EXIT",
            ),
        ],
    );
}
