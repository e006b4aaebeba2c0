% An empty list is thought of, but not one of which nothing is left.
:- use_module(library(apply)).
:- use_module(library(lists)).

%! average(+Xs:list(integer), -Average:integer) is det.
%
%  The average of those that are positive.
average([], 0) :- !.
average(Xs, Average) :-
    include(positive, Xs, Ps),
    sum_list(Ps, Sum),
    length(Ps, N),
    Average is Sum // N. % fails here

positive(X) :- X > 0.
