% The repaired twin: it is emptied whatever it holds.
:- use_module(library(apply)).
:- use_module(library(lists)).

%! encoded(+Xs:list(oneof([a, b])), -Runs:list(pair)) is det.
%
%  Runs of the same element, as Element-Length.
encoded([], []) :- !.
encoded([X|Xs], Runs) :-
    runs(Xs, X, 1, Runs),
    findall(N, member(_-N, Runs), Ns),
    sum_list(Ns, Sum),
    length([X|Xs], Length),
    assertion(Sum =:= Length).

runs([], X, N, [X-N]).
runs([X|Xs], Y, N, Runs) :-
    (   X == Y
    ->  N1 is N + 1,
        runs(Xs, Y, N1, Runs)
    ;   Runs = [Y-N|Rest],
        runs(Xs, X, 1, Rest)
    ).
