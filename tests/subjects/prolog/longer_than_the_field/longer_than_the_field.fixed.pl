% The repaired twin: too much is cut off.
:- use_module(library(lists)).

%! padded(+Xs:list(integer), +Width:between(0, 4), -Field:list) is det.
padded(Xs, Width, Field) :-
    length(Field, Width),
    fill(Field, Xs).

fill([], _) :- !.
fill([X|Field], [X|Xs]) :- !, fill(Field, Xs).
fill(Field, []) :- zeros(Field).

zeros([]).
zeros([0|Rest]) :- zeros(Rest).
