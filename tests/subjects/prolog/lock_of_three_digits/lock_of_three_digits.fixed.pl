% The repaired twin: neighbours are excluded by a constraint.
:- module(lock, [key/4]).
:- use_module(library(clpfd)).

%! key(+A:between(0, 9), +B:between(0, 9), +C:between(0, 9), -Key:integer) is semidet.
key(A, B, C, Key) :-
    A + B + C #= 15,
    A #> B,
    B #> C,
    A #\= B + 1,
    Key is 100 // (A - B - 1).
