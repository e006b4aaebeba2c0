% Ten thousand events, and next to none: three of them for each time round.
few :- count(1).

many :- count(3333).

count(0) :- !.
count(N) :-
    M is N - 1,
    M >= 0,
    count(M).
