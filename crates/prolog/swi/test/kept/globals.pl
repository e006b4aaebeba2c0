% Global variables.

%? t(X)
%? u(X)
%? undo(X)

t(X) :- nb_setval(kept_key, 1), nb_getval(kept_key, X).
t(X) :- b_setval(kept_b, 2), b_getval(kept_b, X).
u(X) :- nb_setval(kept_n, 0), ( member(_, [a,b,c]), nb_getval(kept_n, N), M is N+1, nb_setval(kept_n, M), fail ; nb_getval(kept_n, X) ).
undo(X) :- b_setval(kept_u, 1), ( b_setval(kept_u, 2), fail ; b_getval(kept_u, X) ).
