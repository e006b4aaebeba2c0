% Appending what is missing fails where nothing is missing but there is too much.
:- use_module(library(lists)).

%! padded(+Xs:list(integer), +Width:between(0, 4), -Field:list) is det.
padded(Xs, Width, Field) :-
    length(Field, Width),
    append(Xs, Rest, Field),
    zeros(Rest).

zeros([]).
zeros([0|Rest]) :- zeros(Rest).
