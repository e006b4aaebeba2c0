% The repaired twin: an unknown price is asked for before.
%! amount(+Article:oneof([tea, milk, rum]), +Pieces:nonneg, -Amount) is det.
amount(_, 0, 0) :- !.
amount(Article, Pieces, Amount) :-
    price(Article, Price),
    (   Price == none
    ->  Amount = unknown
    ;   Amount is Price * Pieces
    ).

price(tea, 2) :- !.
price(milk, 1) :- !.
price(_, none).
