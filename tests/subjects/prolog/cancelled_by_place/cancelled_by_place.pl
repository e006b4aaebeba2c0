% The arguments of the pattern are in the wrong order: the order at that place is taken out.
:- module(orders, [cancel/3]).

:- dynamic ordered/2.

%! cancel(+Numbers:list(between(1, 3)), +Number:between(1, 3), -Left:integer) is det.
cancel(Numbers, Number, Left) :-
    retractall(ordered(_, _)),
    enter(Numbers, 1),
    retractall(ordered(_, Number)),
    assertion(\+ ordered(Number, _)), % fails here
    aggregate_all(count, ordered(_, _), Left).

%  ordered(Number, Place)
enter([], _).
enter([Number|Numbers], Place) :-
    assertz(ordered(Number, Place)),
    Next is Place + 1,
    enter(Numbers, Next).
