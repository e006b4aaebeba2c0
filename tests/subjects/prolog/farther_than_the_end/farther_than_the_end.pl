% Ever farther places are tried, also those behind the end of the list.
:- module(first, [first_even/2]).
:- use_module(library(lists)).

%! first_even(+Xs:list(integer), -Place:integer) is semidet.
%
%  The place, from zero, of the first even number.
first_even(Xs, Place) :-
    Xs = [_|_],
    between(0, inf, Place),
    nth0(Place, Xs, X),
    X mod 2 =:= 0,
    !.
