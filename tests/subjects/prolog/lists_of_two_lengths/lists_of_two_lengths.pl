% Maplist over two lists fails where one of them is longer.
:- module(vectors, [dot/3]).
:- use_module(library(apply)).
:- use_module(library(lists)).

%! dot(+Xs:list(integer), +Ys:list(integer), -Product:integer) is det.
dot(Xs, Ys, Product) :-
    maplist(times, Xs, Ys, Products),
    sum_list(Products, Product).

times(X, Y, Z) :- Z is X * Y.
