% What instrumented code calls while it runs.

:- module(elsewise_rt,
          [ set_event_stream/1,         % +Stream
            event_stream/1,             % -Stream
            event_char/2,               % +Number, -Char
            emit/1,                     % +Char
            emit_text/1                 % +Term
          ]).

:- use_module(elsewise_write).
:- use_module(elsewise_instrument).
:- use_module(elsewise_resolve).

:- dynamic event_stream/1.

set_event_stream(Stream) :-
    retractall(event_stream(_)),
    assertz(event_stream(Stream)).

%!  event_char(+Number, -Char) is det.
%
%   Numbers start above the characters that have a meaning of their own, and
%   step over the surrogates, which UTF-8 does not have.

event_char(Number, Char) :-
    Code0 is Number+256,
    (   Code0 >= 0xD800
    ->  Code is Code0+0x800
    ;   Code = Code0
    ),
    char_code(Char, Code).

emit(Char) :-
    event_stream(Stream),
    put_char(Stream, Char).

emit_text(Term) :-
    event_stream(Stream),
    put_text(Stream, Term).

%!  one(:Goal, +Char, +Arguments)
%
%   A goal that nobody follows and that has at most one answer. Its failure is
%   told too, so that it cannot be mistaken for another's success.

one(Goal, Char, Arguments) :-
    (   call(Goal)
    ->  emit(Char),
        emit_text(Arguments)
    ;   emit('\x02\'),
        fail
    ).

%!  any(:Goal, +Char, +Arguments)
%
%   The same with any number of answers. An answer that left no choice point is
%   told as det(Arguments), and no failure follows it.

any(Goal, Char, Arguments) :-
    call_cleanup(Goal, Det = true),
    (   Det == true
    ->  !,
        emit(Char),
        emit_text(det(Arguments))
    ;   emit(Char),
        emit_text(Arguments)
    ).
any(_, _, _) :-
    emit('\x02\'),
    fail.

%!  constraint(:Goal, +Char, +Arguments)
%
%   A constraint of clpfd: what propagation has bound is told.

constraint(Goal, Char, Arguments) :-
    call(Goal),
    emit(Char),
    emit_text(Arguments).

%!  caught(+Char, +Ball)
%
%   Comes first in a recovery.

caught(Char, Ball) :-
    emit('\x04\'),
    emit(Char),
    emit_text(Ball).

%!  qualify(+Module, +Argument, -Qualified)
%
%   What SWI does to arguments of meta-predicates.

qualify(_, Argument, Qualified) :-
    nonvar(Argument),
    Argument = Module:_,
    atom(Module),
    !,
    Qualified = Argument.
qualify(Module, Argument, Module:Argument).

%!  dynamic_call(+Module, +Goal, +Char)
%
%   A predicate whose clauses may change: they are looked up, and their bodies
%   called. A cut in such a body cuts back to here.

dynamic_call(Module, Goal, Char) :-
    (   '$get_predicate_attribute'(Module:Goal, defined, 1)
    ->  true
    ;   Module:Goal                     % raises the error that there is
    ),
    prolog_current_choice(Choice),
    clause(Module:Goal, Body, _),
    emit(Char),
    dynamic_body(Body, Module, Choice).

dynamic_body(true, _, _) :-
    !.
dynamic_body(Body, Module, Choice) :-
    strip_module(Module:Body, Context, Plain),
    annotate(Plain, context(Context, run, []), Annotated),
    runnable(Annotated, Context, prolog_cut_to(Choice), Goal),
    call(Context:Goal).

%!  run_goal(+Module, +Goal)
%
%   call/1: the goal is known now only.

run_goal(Module, Goal) :-
    strip_module(Module:Goal, Context, Plain),
    (   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   callable(Plain)
    ->  run_plain(Plain, Context)
    ;   throw(error(type_error(callable, Plain), _))
    ).

run_plain(Plain, Context) :-
    functor(Plain, Name, Arity),
    copied(Context, Name, Arity, Copy),
    !,
    run_copy(Copy, Plain, Context).
run_plain(Plain, Context) :-
    (   body_ok(Plain)
    ->  annotate(Plain, context(Context, run, []), Annotated),
        runnable(Annotated, Context, !, Goal),
        call(Context:Goal)
    ;   throw(error(type_error(callable, Plain), _))
    ).

run_copy(copy(Home, CopyName), Plain, _) :-
    renamed(Plain, CopyName, Goal),
    call(Home:Goal).

%!  run_goal(+Module, +Goal, +Extra)
%
%   call/N with the list of added arguments.

run_goal(Module, Closure, Extra) :-
    strip_module(Module:Closure, Context, Plain),
    (   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   callable(Plain)
    ->  extended(Plain, Extra, Goal),
        run_plain(Goal, Context)
    ;   throw(error(type_error(callable, Plain), _))
    ).

%   What the prelude leaves to SWI.

aggregate_plain(What, Goal, Result) :-
    aggregate:aggregate_all(What, Goal, Result).

sort_plain(Key, Order, List, Sorted) :-
    sort(Key, Order, List, Sorted).

grammar_goal(Body, S0, S, Goal) :-
    dcg_translate_rule((x --> Body), (x(S0, S) :- Goal)).

%   SWI would print the stack at length before it throws the same.

:- multifile prolog:assertion_failed/2.

prolog:assertion_failed(Reason, Goal) :-
    \+ elsewise_prelude:passed_on(Reason),
    throw(error(assertion_error(Reason, Goal), _)).
