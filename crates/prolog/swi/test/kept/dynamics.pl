% Facts and rules that come and go.

%? count(3,X)
%? fresh(X)
%? queue(X)
%? rules(X)
%? view(X)
%? drop(X)
%? memo(20,X)
%? missing(X)
%? cutrule(X)
%? lateborn(X)

:- dynamic counter/1, q/1, r/2, fibm/2.
counter(0).
q(1). q(2). q(3).
count(N, X) :- between(1, N, _), bump, fail.
count(_, X) :- counter(X).
bump :- retract(counter(N)), M is N+1, assertz(counter(M)).
fresh(X) :- assertz(q(9)), asserta(q(0)), q(X).
queue(X) :- retract(q(X)).
queue(X) :- findall(Y, q(Y), X).
rules(X) :- assertz((r(A, B) :- q(A), ( A > 1 -> B = big ; B = small ))), r(X, _).
rules(Y) :- r(_, Y).
view(X) :- q(X), assertz(q(X)), X > 2.
drop(X) :- retractall(q(2)), q(X).
drop(X) :- retractall(q(_)), \+ q(X), X = gone.
memo(N, F) :- fibm(N, F), !.
memo(N, F) :- N < 2, !, F = N.
memo(N, F) :- A is N-1, B is N-2, memo(A, X), memo(B, Y), F is X+Y, assertz(fibm(N, F)).
missing(X) :- retract(nothing(X)).
missing(X) :- catch(notthere(X), error(E, _), X = E).
cutrule(X) :- assertz((r(A, b) :- q(A), A > 1, !)), assertz(r(z, c)), r(X, _).
lateborn(X) :- assertz(lateone(1)), assertz(lateone(2)), lateone(X).
