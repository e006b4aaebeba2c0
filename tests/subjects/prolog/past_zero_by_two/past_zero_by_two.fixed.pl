% The repaired twin: below zero it ends as well.
%! steps(+N:between(0, 30), -Steps:integer) is det.
steps(N, Steps) :- steps(N, 0, Steps).

steps(N, Steps, Steps) :- N =< 0, !.
steps(N, Steps0, Steps) :-
    Steps1 is Steps0 + 1,
    N1 is N - 2,
    steps(N1, Steps1, Steps).
