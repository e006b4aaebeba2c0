% Trees: library(assoc) and one's own.

%? put(X)
%? get(b,X)
%? get(z,X)
%? keys(X)
%? build([3,1,2],X)

:- use_module(library(assoc)).
put(X) :- list_to_assoc([a-1,b-2], A), put_assoc(c, A, 3, B), assoc_to_list(B, X).
get(K, V) :- list_to_assoc([a-1,b-2,c-3], A), get_assoc(K, A, V).
keys(X) :- list_to_assoc([b-1,a-2], A), assoc_to_keys(A, X).
build(L, T) :- foldl(ins, L, nil, T).
ins(X, nil, t(nil,X,nil)).
ins(X, t(L,Y,R), t(L1,Y,R)) :- X < Y, !, ins(X, L, L1).
ins(X, t(L,Y,R), t(L,Y,R1)) :- X > Y, !, ins(X, R, R1).
ins(X, t(L,X,R), t(L,X,R)).
