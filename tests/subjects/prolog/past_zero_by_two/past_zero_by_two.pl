% Counted down by two, an odd number never is zero.
%! steps(+N:between(0, 30), -Steps:integer) is det.
steps(N, Steps) :- steps(N, 0, Steps).

steps(0, Steps, Steps) :- !.
steps(N, Steps0, Steps) :-
    Steps1 is Steps0 + 1,
    N1 is N - 2,
    steps(N1, Steps1, Steps).
