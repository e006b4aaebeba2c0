% The repaired twin: once.
:- module(digits, [digits/3]).
:- use_module(library(clpfd)).

%! digits(+Sum:between(0, 18), -A:integer, -B:integer) is det.
digits(Sum, A, B) :-
    [A, B] ins 0..9,
    A + B #= Sum,
    A #=< B,
    once(label([A, B])).
