% The repaired twin: it is looked at first, and then replaced.
:- module(session, [session/2]).

:- dynamic depth/1.

%! session(+Ops:list(oneof([push, pop])), -Depth:integer) is det.
session(Ops, Depth) :-
    retractall(depth(_)),
    assertz(depth(0)),
    done(Ops),
    depth(Depth),
    !.

done([]).
done([Op|Ops]) :-
    (   apply(Op)
    ->  true
    ;   true % nothing to pop
    ),
    done(Ops).

apply(push) :- depth(N), N1 is N + 1, retract(depth(N)), assertz(depth(N1)).
apply(pop) :- depth(N), N > 0, N1 is N - 1, retract(depth(N)), assertz(depth(N1)).
