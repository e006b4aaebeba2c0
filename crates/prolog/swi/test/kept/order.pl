% The standard order of terms.

%? t(X)
%? u(X,Y)
%? v(X)

t(X) :- msort([f(b), 1, a, "s", 2.0, Z, f(a,b), z(1), []], X), Z = z.
u(X, Y) :- member(X, [1, a, f(x)]), member(Y, [1, b, f(x)]), X @< Y.
u(X, Y) :- member(X, [1, a]), member(Y, [1, b]), X @>= Y.
v(X) :- compare(X, 1, 1.0).
v(X) :- compare(X, f(_), f(_)).
v(X) :- ( 1 =@= 2 -> X = same ; X = other ).
