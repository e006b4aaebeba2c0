% The predecessor of zero is thought of, not that of less.
:- module(floors, [below/2]).

%! below(+Floor:integer, -Below) is det.
below(0, cellar) :- !.
below(Floor, Below) :- succ(Below, Floor). % fails here
