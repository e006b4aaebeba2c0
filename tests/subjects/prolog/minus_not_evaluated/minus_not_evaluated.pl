% One minus one is a term, and no zero.
%! copies(+N:between(0, 8), +X:atom, -Xs:list) is det.
copies(0, _, []) :- !.
copies(N, X, [X|Xs]) :-
    N > 0,
    N1 = N - 1,
    copies(N1, X, Xs).
