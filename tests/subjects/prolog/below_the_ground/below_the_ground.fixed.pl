% The repaired twin: below the ground it is counted, too.
:- module(floors, [below/2]).

%! below(+Floor:integer, -Below) is det.
below(0, cellar) :- !.
below(Floor, Below) :- Below is Floor - 1.
