% Of the same card there may be another.
:- use_module(library(lists)).

%! played(+Hand:list(between(1, 3)), +Card:between(1, 3), -Rest:list) is det.
played(Hand, Card, Rest) :-
    (   memberchk(Card, Hand)
    ->  select(Card, Hand, Rest)
    ;   Rest = Hand
    ).
