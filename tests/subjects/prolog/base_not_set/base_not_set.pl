% Between two weights the variable is left unbound.
%! cost(+Kind:oneof([plain, gift, express]), +Weight:nonneg, -Cost:integer) is det.
cost(plain, Weight, Cost) :- Cost is 2 * Weight.
cost(gift, Weight, Cost) :- Cost is 2 * Weight + 5.
cost(express, Weight, Cost) :-
    (   Weight > 50
    ->  Base = 9
    ;   Weight =< 20
    ->  Base = 4
    ;   true
    ),
    Cost is Base * Weight. % fails here
