% Errors of built-ins.

%? t(1)
%? t(2)
%? t(3)
%? t(4)
%? t(5)
%? t(6)
%? t(7)
%? t(8)
%? t(9)
%? t(10)
%? t(11)
%? t(12)
%? t(13)
%? t(14)

t(1) :- length(foo, _).
t(2) :- length(_, -1).
t(3) :- between(a, 1, _).
t(4) :- sort(foo, _).
t(5) :- msort([a|_], _).
t(6) :- functor(_, _, _).
t(7) :- arg(a, f(x), _).
t(8) :- keysort([a], _).
t(9) :- X = 1, call(X).
t(10) :- succ(_, 0).
t(11) :- _ is foo+1.
t(12) :- assertz((foo :- 1)).
t(13) :- atom_length(f(x), _).
t(14) :- nb_getval(no_such_key, _).
