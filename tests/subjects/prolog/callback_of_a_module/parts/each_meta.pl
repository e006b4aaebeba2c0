% For the twin of `callback_of_a_module`: says which argument is a goal of whoever asks.
:- module(each_meta, [each_twice/3]).

:- meta_predicate each_twice(2, +, -).

%  Ys are Xs with Goal applied to each of them twice.
each_twice(Goal, Xs, Ys) :- twice(Xs, Goal, Ys).

twice([], _, []).
twice([X|Xs], Goal, [Y|Ys]) :-
    call(Goal, X, Z),
    call(Goal, Z, Y),
    twice(Xs, Goal, Ys).
