% The repaired twin: without a maximum there is none.
:- use_module(library(aggregate)).
:- use_module(library(lists)).

%! peak(+Xs:list(integer), -Peak) is det.
%
%  The highest of those that are not negative.
peak([], none) :- !.
peak(Xs, Peak) :-
    (   aggregate_all(max(X), ( member(X, Xs), X >= 0 ), Max)
    ->  Peak = Max
    ;   Peak = none
    ).
