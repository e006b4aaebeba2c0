% Library predicates on lists.

%? t(X)
%? u(X)
%? n(X,Y)
%? s(X)
%? nth(0,X)
%? nth(2,X)
%? nth(-1,X)
%? nth(9,X)
%? nth(a,X)
%? nth(Y,X)
%? partial(X)

:- use_module(library(lists)).
t(X) :- member(X, [a,b,c]).
t(X) :- nth0(X, [a,b,c], _).
t(X) :- nth1(2, [a,b,c], X).
t(X) :- last([1,2,3], X).
t(X) :- sum_list([1,2,3], X).
t(X) :- max_list([1,3,2], X).
t(X) :- numlist(1, 5, X).
t(X) :- reverse([1,2,3], X).
t(X) :- exclude([Y]>>(Y > 1), [1,2,3], X).
t(X) :- partition([Y]>>(Y > 1), [1,2,3], A, B), X = A-B.
u(X) :- select(b, [a,b,c,b], X).
u(X) :- subtract([1,2,3], [2], X).
u(X) :- permutation([1,2,3], X).
u(X) :- list_to_set([a,b,a], X).
u(X) :- sort([c,a,b,a], X).
u(X) :- msort([c,a,b,a], X).
u(X) :- predsort([O,A,B]>>compare(O,A,B), [c,a,b,a], X).
u(X) :- sort(0, @>=, [1,3,2,3], X).
u(X) :- length(X, 2).
u(X) :- flatten([1,[2,[3]],[]], X).
u(X) :- delete([a,b,a], a, X).
u(X) :- sumlist([1,2], X).
u(X) :- exclude(==(a), [a,b], X).
u(X) :- nth0(a, [a], X).
n(X, Y) :- length(X, Y), Y >= 3, !.
s(X) :- pairs_keys_values(X, [b,a], [1,2]).
s(X) :- pairs_keys_values(P, [b,a], [1,2]), keysort(P, X).
s(X) :- memberchk(X, [q,r]).
s(X) :- intersection([1,2,3], [3,1], X).
s(X) :- union([1,2], [2,3], X).
s(X) :- append([[1],[2,3]], X).
s(X) :- aggregate_all(count, member(_, [a,b]), X).
s(X) :- must_be(positive_integer, X).
nth(I, X) :- nth1(I, [a,b,c], X).
nth(I, X) :- nth0(I, [a,b,c,d,e,f,g,h,i,j,k], X).
partial(L) :- nth1(3, L, x).
