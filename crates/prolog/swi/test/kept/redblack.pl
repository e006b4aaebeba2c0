% Library predicates on trees, graphs and codes.

%? build([3,1,2],X)
%? find(2,X)
%? find(9,X)
%? without(X)
%? graph(X)
%? number('12ab',X)
%? number(ab,X)
%? words(X)

:- use_module(library(rbtrees)).
:- use_module(library(ugraphs)).
:- use_module(library(dcg/basics)).
build(L, P) :- rb_new(T0), foldl([K,A,B]>>rb_insert(A, K, v(K), B), L, T0, T), rb_keys(T, P).
find(K, V) :- list_to_rbtree([1-a,2-b,3-c], T), rb_lookup(K, V, T).
without(P) :- list_to_rbtree([1-a,2-b,3-c], T), rb_delete(T, 2, T1), rb_visit(T1, P).
graph(X) :- vertices_edges_to_ugraph([a,b,c], [a-b,b-c], G), top_sort(G, X).
graph(X) :- vertices_edges_to_ugraph([a,b,c], [a-b,b-c], G), transitive_closure(G, X).
number(A, X) :- atom_codes(A, Cs), phrase(integer(X), Cs, _).
words(X) :- atom_codes('a  b', Cs), phrase((string_without(` `, S), blanks, remainder(_)), Cs), atom_codes(X, S).
