% A module that test/kept/files.pl uses.

:- module(shapes, [area/2, each/2, op(700, xfx, covers), (covers)/2, opened/1]).

:- use_module(library(lists)).
:- meta_predicate each(1, +).
:- dynamic opened/1.

opened(none).

area(circle(R), A) :- A is 3*R*R.
area(square(S), A) :- A is S*S.
area(Shapes, A) :- is_list(Shapes), !, parts(Shapes, As), sum_list(As, A).

parts([], []).
parts([S|Ss], [A|As]) :- area(S, A), parts(Ss, As).

each(_, []).
each(G, [X|Xs]) :- call(G, X), each(G, Xs).

X covers Y :- area(X, A), area(Y, B), A >= B.

user:extra(from_shapes).
