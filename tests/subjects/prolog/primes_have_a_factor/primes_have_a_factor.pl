% The range is empty or ends too early: a prime number has no factor below itself.
%! factor(+N:between(1, 40), -Factor:integer) is det.
%
%  The smallest factor greater than one, if there is one, else one.
factor(1, 1) :- !.
factor(N, Factor) :-
    Most is N - 1,
    between(2, Most, Factor),
    N mod Factor =:= 0,
    !.
