% A new fact is added, and the old one is still the first.
:- use_module(library(lists)).

:- dynamic seen/1.

%! latest(+Readings:list(between(0, 3)), -Latest) is det.
latest(Readings, Latest) :-
    retractall(seen(_)),
    remember(Readings),
    (   seen(Value)
    ->  Latest = Value,
        assertion(last(Readings, Latest)) % fails here
    ;   Latest = none
    ).

remember([]).
remember([Reading|Readings]) :-
    assertz(seen(Reading)),
    remember(Readings).
