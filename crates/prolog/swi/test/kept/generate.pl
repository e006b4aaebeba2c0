% Numbers and lists without end.

%? t(X)
%? w(X)
%? first(X)

t(X) :- between(1, 3, X).
t(X) :- between(1, inf, X), X > 2, !.
w(X) :- length(X, N), N >= 2, !.
first(X) :- once((between(1, 10, X), X*X > 20)).
