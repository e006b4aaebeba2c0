% The repaired twin: what is left is looked at, not what there was.
:- use_module(library(apply)).
:- use_module(library(lists)).

%! average(+Xs:list(integer), -Average:integer) is det.
%
%  The average of those that are positive.
average(Xs, Average) :-
    include(positive, Xs, Ps),
    mean(Ps, Average).

mean([], 0) :- !.
mean(Ps, Average) :-
    sum_list(Ps, Sum),
    length(Ps, N),
    Average is Sum // N.

positive(X) :- X > 0.
