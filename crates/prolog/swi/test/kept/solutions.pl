% All solutions: findall, bagof, setof, forall, aggregate_all.

%? all(X)
%? bag(X)
%? bagfree(X,Y)
%? setfree(X,Y)
%? ages(X)
%? every
%? noevery
%? cnt(X)
%? agg(W,X)
%? f4(X)
%? none(X)
%? exist(X)

:- use_module(library(aggregate)).
age(peter, 7). age(ann, 11). age(pat, 8). age(tom, 5). age(mike, 11).
all(X) :- findall(A-N, age(N, A), X).
bag(X) :- bagof(N, A^age(N, A), X).
bagfree(A, L) :- bagof(N, age(N, A), L).
setfree(A, L) :- setof(N, age(N, A), L).
ages(X) :- setof(A, N^age(N, A), X).
every :- forall(age(_, A), A > 4).
noevery :- forall(age(_, A), A > 5).
cnt(X) :- aggregate_all(count, age(_, _), X).
agg(sum, X) :- aggregate_all(sum(A), age(_, A), X).
agg(max, X) :- aggregate_all(max(A), age(_, A), X).
agg(min, X) :- aggregate_all(min(A), age(_, A), X).
agg(maxw, X) :- aggregate_all(max(A, N), age(N, A), X).
agg(minw, X) :- aggregate_all(min(A, N), age(N, A), X).
agg(bag, X) :- aggregate_all(bag(A), age(_, A), X).
agg(set, X) :- aggregate_all(set(A), age(_, A), X).
agg(empty, X) :- aggregate_all(max(A), age(nobody, A), X).
agg(both, X) :- aggregate_all(r(count, max(A)), age(_, A), X).
f4(X) :- findall(A, age(_, A), X, [end]).
none(X) :- bagof(A, age(nobody, A), X).
exist(X) :- findall(A, (age(_, A), A > 7), L), sort(0, @>=, L, X).
