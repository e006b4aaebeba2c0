% The repaired twin: what has no partner is left out.
:- module(vectors, [dot/3]).
:- use_module(library(apply)).
:- use_module(library(lists)).

%! dot(+Xs:list(integer), +Ys:list(integer), -Product:integer) is det.
dot(Xs, Ys, Product) :-
    products(Xs, Ys, Products),
    sum_list(Products, Product).

products([X|Xs], [Y|Ys], Products) :-
    !,
    times(X, Y, Z),
    Products = [Z|Zs],
    products(Xs, Ys, Zs).
products(_, _, []).

times(X, Y, Z) :- Z is X * Y.
