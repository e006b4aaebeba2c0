% The repaired twin: the old one is taken away.
:- use_module(library(lists)).

:- dynamic seen/1.

%! latest(+Readings:list(between(0, 3)), -Latest) is det.
latest(Readings, Latest) :-
    retractall(seen(_)),
    remember(Readings),
    (   seen(Value)
    ->  Latest = Value,
        assertion(last(Readings, Latest))
    ;   Latest = none
    ).

remember([]).
remember([Reading|Readings]) :-
    retractall(seen(_)),
    assertz(seen(Reading)),
    remember(Readings).
