% Arithmetic and its errors.

%? fact(5,X)
%? fact(a,X)
%? fact(Y,X)
%? fib(12,X)
%? cmp(1,2,X)
%? cmp(2,2,X)
%? cmp(3,2.0,X)
%? divide(7,2,X)
%? divide(7,0,X)
%? eval(1+2*3,X)
%? eval(foo,X)
%? eval(f(1),X)

fact(0, 1) :- !.
fact(N, F) :- N > 0, M is N-1, fact(M, G), F is N*G.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.
cmp(X, Y, less) :- X < Y.
cmp(X, Y, equal) :- X =:= Y.
cmp(X, Y, greater) :- X > Y.
cmp(X, Y, differ) :- X =\= Y.
cmp(X, Y, notless) :- X >= Y.
cmp(X, Y, notgreater) :- X =< Y.
divide(X, Y, q(A, B, C, D)) :- A is X/Y, B is X//Y, C is X mod Y, D is X rdiv Y.
eval(E, V) :- V is E.
