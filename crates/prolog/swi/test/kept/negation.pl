% Negation.

%? single(X)
%? notin(c,[a,b])
%? notin(a,[a,b])
%? free(X)
%? double(X)
%? differ(a,X)

person(a). person(b). person(c).
married(a). married(c).
single(X) :- person(X), \+ married(X).
notin(X, L) :- \+ in(X, L).
in(X, [X|_]).
in(X, [_|T]) :- in(X, T).
free(X) :- \+ X = 1.
free(X) :- not(fail), X = 2.
double(X) :- \+ \+ X = 1, X = 2.
differ(X, Y) :- X \= Y.
differ(X, Y) :- X \== Y, Y = b.
