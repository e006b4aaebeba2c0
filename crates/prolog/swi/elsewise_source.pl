% Clauses as they were written. SWI moves unifications that start a body into
% the head, and clause/2 does not always find the way back (9.0.4 loses
% variables that are used in a condition later): such clauses are noted while
% they are compiled.

:- module(elsewise_source,
          [ program_clause/4,           % +Module, ?Head, -Body, -Ref
            leading_unifications/3      % +Body, -Unifications, -Rest
          ]).

:- dynamic
    noted/3,                            % Ref, Head, Body
    rule/2.                             % Ref, `commit` or `choice`

%!  program_clause(+Module, ?Head, -Body, -Ref) is nondet.
%
%   As clause/3, for a head with distinct variables. The body of a rule with =>
%   is '$elsewise rule'(Guard, Body).

program_clause(Module, Head, Body, Ref) :-
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    clause(Module:General, Body0, Ref),
    (   noted(Ref, Head1, Body1)
    ->  Head = Head1,
        written_body(Ref, Body1, Body)
    ;   Head = General,
        Body = Body0
    ).

written_body(Ref, Body0, Body) :-
    (   rule(Ref, commit)
    ->  Body = '$elsewise rule'(true, Body0)
    ;   rule(Ref, choice)               % SWI has joined them by a cut
    ->  Body0 = (Guard, !, Rest),
        Body = '$elsewise rule'(Guard, Rest)
    ;   Body = Body0
    ).

%!  leading_unifications(+Body, -Unifications, -Rest) is det.
%
%   The run of unifications that a body starts with. SWI does some of them in
%   the head; for us all of them belong to the head.

leading_unifications(Body, Unifications, Rest) :-
    (   nonvar(Body),
        Body = (First, Then),
        unification(First)
    ->  Unifications = [First|More],
        leading_unifications(Then, More, Rest)
    ;   unification(Body)
    ->  Unifications = [Body],
        Rest = true
    ;   Unifications = [],
        Rest = Body
    ).

unification(Goal) :-
    nonvar(Goal),
    Goal = (_ = _).

%   Called in the place of '$record_clause'/3.

:- public record/4.

record(Clause, Owner, Source, _) :-
    strip_module(Clause, _, Plain),
    noteworthy(Plain, Head0, Body, Kind),
    !,
    '$record_clause'(Clause, Owner, Source, Ref),
    strip_module(Head0, _, Head),
    assertz(noted(Ref, Head, Body)),
    (   Kind == plain
    ->  true
    ;   assertz(rule(Ref, Kind))
    ).
record(_, _, _, Plain) :-
    call(Plain).

noteworthy((Head :- Body), Head, Body, plain) :-
    leading_unifications(Body, [_|_], _).
noteworthy((Head => Body), Head, Body, commit).
noteworthy(?=>(Head, Body), Head, Body, choice).

:- '$wrap_predicate'(system:'$record_clause'(Clause, Owner, Source), elsewise,
                     _, Plain,
                     elsewise_source:record(Clause, Owner, Source, Plain)).
