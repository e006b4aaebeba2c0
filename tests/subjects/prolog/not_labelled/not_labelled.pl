% Constraints alone do not make a value where there are several.
:- use_module(library(clpfd)).

%! coins(+Amount:between(0, 20), -Coins:integer) is det.
%
%  How many coins of five and of one make the amount, with at most nine of one.
coins(Amount, Coins) :-
    [Fives, Ones] ins 0..9,
    5 * Fives + Ones #= Amount,
    Coins is Fives + Ones. % fails here
