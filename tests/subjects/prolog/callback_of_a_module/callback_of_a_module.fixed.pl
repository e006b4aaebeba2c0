% The repaired twin: the module says that the argument is a goal of whoever calls it.
:- module(scores, [scores/3]).
:- use_module(parts/each_meta).

%! scores(+Doubled:boolean, +Xs:list(integer), -Ys:list) is det.
scores(false, Xs, Xs).
scores(true, Xs, Ys) :- each_twice(plus_one, Xs, Ys).

plus_one(X, Y) :- Y is X + 1.
