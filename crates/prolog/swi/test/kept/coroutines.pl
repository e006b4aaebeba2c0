% Goals that wait: dif, freeze.

%? d(X)
%? e(X)
%? f(X)
%? g(X)

d(X) :- dif(X, a), member(X, [a,b,c]).
e(X) :- dif(f(X,Y), f(1,2)), X = 1, member(Y, [1,2,3]).
f(X) :- freeze(X, X > 1), member(X, [1,2,3]).
g(Y) :- freeze(X, Y = X), X = 5.
