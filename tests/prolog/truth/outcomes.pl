% How calls of the plain program end.
:- module(outcomes, [outcome/5]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(prolog_stack)).

%  Inferences of a call that ends.
most(200 000).

%! outcome(+File, +Module, +Mode, +Args, -Outcome) is det.
%
%  good, failed, 'choice-point', hang, or raised(Kind, Ball, Line) with the line of File where it was.
outcome(File, Module, mode(Name, _, Det), Args0, Outcome) :-
    copy_term(Args0, Args),
    Goal =.. [Name|Args],
    nb_setval(outcomes_place, File-[]),
    most(Most),
    % Where a last call has replaced its caller, its line is gone.
    set_prolog_flag(last_call_optimisation, false),
    snapshot(catch(( call_with_inference_limit(called(Module:Goal, End), Most, Limit),
                     limited(Limit, End) ),
                   Ball,
                   End = ball(Ball))),
    judged(End, Det, File, Outcome).

called(Goal, End) :-
    call_cleanup(Goal, Last = true),
    (   Last == true
    ->  End = det
    ;   End = nondet
    ),
    !.
called(_, false).

%  The limit does not bind anything else.
limited(inference_limit_exceeded, End) :- !, End = limit.
limited(_, _).

judged(det, _, _, good).
judged(nondet, Det, _, Outcome) :- once_only(Det, 'choice-point', Outcome).
judged(false, Det, _, Outcome) :- ( Det == det -> Outcome = failed ; Outcome = good ).
judged(limit, _, _, hang).
judged(ball(Ball), _, File, Outcome) :- raised(Ball, File, Outcome).

once_only(Det, Bad, Outcome) :- ( memberchk(Det, [det, semidet]) -> Outcome = Bad ; Outcome = good ).

raised(error(resource_error(_), _), _, hang) :- !.
raised(Ball, File, raised(Kind, Inner, Line)) :-
    inner(Ball, Kind, Inner),
    nb_getval(outcomes_place, File-Frames),
    (   member(Frame, Frames),
        prolog_stack_frame_property(Frame, location(File:Line))
    ->  true
    ;   Line = none
    ).

inner(failed_assertion(Goal), assertion, Goal) :- !.
inner(error(Formal, _), error, Formal) :- !.
inner(Ball, throw, Ball).

of_file(File, frame(_, clause(Clause, _), _)) :- clause_property(Clause, file(File)).

%  The stack is only there while the ball is on its way. Where it is thrown again further out, as
%  limits do, that is not in the subject's file.
:- multifile user:prolog_exception_hook/4.
:- dynamic user:prolog_exception_hook/4.
user:prolog_exception_hook(Ball, Ball, Top, _) :-
    nb_current(outcomes_place, File-_),
    get_prolog_backtrace(40, Stack, [frame(Top), goal_term_depth(0)]),
    include(of_file(File), Stack, Frames),
    Frames = [_|_],
    nb_setval(outcomes_place, File-Frames),
    fail.

%  Without the message and the stack that people get.
:- multifile prolog:assertion_failed/2.
:- dynamic prolog:assertion_failed/2.
prolog:assertion_failed(_, Goal) :- throw(failed_assertion(Goal)).
