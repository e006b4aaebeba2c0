% The repaired twin: a list that is too short is taken as it is.
:- module(taken, [take/3]).

%! take(+N:nonneg, +Xs:list(integer), -Ys:list) is det.
%
%  Ys are the first N elements of Xs, or all where there are fewer.
take(0, _, []) :- !.
take(_, [], []) :- !.
take(N, [X|Xs], [X|Ys]) :-
    N1 is N - 1,
    take(N1, Xs, Ys).
