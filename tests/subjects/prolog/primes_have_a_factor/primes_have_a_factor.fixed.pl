% The repaired twin: the number itself is a factor.
%! factor(+N:between(1, 40), -Factor:integer) is det.
%
%  The smallest factor greater than one, if there is one, else one.
factor(1, 1) :- !.
factor(N, Factor) :-
    between(2, N, Factor),
    N mod Factor =:= 0,
    !.
