% The repaired twin: it is evaluated.
%! copies(+N:between(0, 8), +X:atom, -Xs:list) is det.
copies(0, _, []) :- !.
copies(N, X, [X|Xs]) :-
    N > 0,
    N1 is N - 1,
    copies(N1, X, Xs).
