% Unifications at the start of a body, which SWI does in the head.

%? p(X)
%? p(b)
%? q(X)
%? r(a,X)
%? r(f(2),X)
%? s(X,Y)
%? t(a,X)
%? u(f(3),X)
%? v(X,Y)

p(X) :- X = a, ( X == a -> true ; fail ).
p(X) :- X = b, ( X == b -> write(X) ; fail ).
q(X) :- X = f(Y), ( Y = 1 ; Y = 2 ), write(X).
r(X, Y) :- X = a, Y = X.
r(X, Y) :- X = f(Z), Y = Z.
r(X, Y) :- X = b, Y = c(X, Y2), Y2 = X.
s(X, Y) :- X = Y, Y = a.
s(X, Y) :- X = g(Y), Y = h, \+ X == Y.
t(X, Y) :- X = a, !, Y = first.
t(X, Y) :- a = X, Y = second.
u(f(X), Y) :- X = 3, Y = X.
u(f(X), Y) :- X = 4, Y = X.
v(X, Y) :- X = [Y|_], Y = z.
