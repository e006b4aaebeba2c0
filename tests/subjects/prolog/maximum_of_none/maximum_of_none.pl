% There is no maximum of no numbers: the aggregation fails.
:- use_module(library(aggregate)).
:- use_module(library(lists)).

%! peak(+Xs:list(integer), -Peak) is det.
%
%  The highest of those that are not negative.
peak([], none) :- !.
peak(Xs, Peak) :-
    aggregate_all(max(X), ( member(X, Xs), X >= 0 ), Peak).
