% Predicates that are called as those of libraries.

%? t(X)
%? u(X)
%? app(X)

t(X) :- append([1], [2], X).
append(_, _, mine).
u(X) :- ignore(X).
ignore(own).
app(X) :- member(X, [a]).
member(X, L) :- X = my(L).
