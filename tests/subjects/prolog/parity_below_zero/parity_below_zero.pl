% Two predicates that call each other until it is zero.
%! parity(+N:between(-20, 20), -Parity:atom) is det.
parity(N, Parity) :- ( even(N) -> Parity = even ; Parity = odd ).

even(0) :- !.
even(N) :- M is N - 1, odd(M).

odd(0) :- !, fail.
odd(N) :- M is N - 1, even(M).
