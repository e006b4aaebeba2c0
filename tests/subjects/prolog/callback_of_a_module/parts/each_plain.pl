% For `callback_of_a_module`: calls a goal of whoever asks, and does not say that it does.
:- module(each_plain, [each_twice/3]).

%  Ys are Xs with Goal applied to each of them twice.
each_twice(Goal, Xs, Ys) :- twice(Xs, Goal, Ys).

twice([], _, []).
twice([X|Xs], Goal, [Y|Ys]) :-
    call(Goal, X, Z),
    call(Goal, Z, Y),
    twice(Xs, Goal, Ys).
