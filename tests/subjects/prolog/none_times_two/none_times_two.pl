% An atom that stands for no price reaches the arithmetic.
%! amount(+Article:oneof([tea, milk, rum]), +Pieces:nonneg, -Amount) is det.
amount(_, 0, 0) :- !.
amount(Article, Pieces, Amount) :-
    price(Article, Price),
    Amount is Price * Pieces. % fails here

price(tea, 2) :- !.
price(milk, 1) :- !.
price(_, none).
