% A predicate is called by its name in a module that does not have it.
:- module(scores, [scores/3]).
:- use_module(parts/each_plain).

%! scores(+Doubled:boolean, +Xs:list(integer), -Ys:list) is det.
scores(false, Xs, Xs).
scores(true, Xs, Ys) :- each_twice(plus_one, Xs, Ys). % fails here

plus_one(X, Y) :- Y is X + 1.
