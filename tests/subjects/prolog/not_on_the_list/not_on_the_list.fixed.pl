% The repaired twin: what has no price costs nothing.
:- module(prices, [total/2]).
:- use_module(library(apply)).
:- use_module(library(assoc)).

%! total(+Basket:list(oneof([tea, milk, rum])), -Total:integer) is det.
total(Basket, Total) :-
    list_to_assoc([tea-2, milk-1], Prices),
    foldl(add(Prices), Basket, 0, Total).

add(Prices, Article, Sum0, Sum) :-
    (   get_assoc(Article, Prices, Known)
    ->  Price = Known
    ;   Price = 0
    ),
    Sum is Sum0 + Price.
