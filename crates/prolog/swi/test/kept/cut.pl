% Cuts, in clauses and where they are local.

%? a(X)
%? b(X,Y)
%? c(3,X)
%? c(-3,X)
%? d(X)
%? e(X)
%? f(X)

a(1). a(2) :- !. a(3).
b(X, Y) :- a(X), !, a(Y).
b(z, z).
c(X, pos) :- X > 0, !.
c(X, neg) :- X < 0, !.
c(_, zero).
d(X) :- ( a(X), X > 1, ! ; X = none ).
d(after).
e(X) :- ( a(X), ! -> true ; X = 9 ).
e(X) :- \+ \+ (a(X), !), X = again.
f(X) :- call((a(X), !)).
f(X) :- findall(Y, (a(Y), !), X).
