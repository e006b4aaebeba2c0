% Counted from one, the middle of one element is at place zero.
:- use_module(library(lists)).

%! median(+Xs:list(integer), -Median) is det.
median([], none) :- !.
median(Xs, Median) :-
    msort(Xs, Sorted),
    length(Sorted, N),
    Middle is N // 2,
    nth1(Middle, Sorted, Median).
