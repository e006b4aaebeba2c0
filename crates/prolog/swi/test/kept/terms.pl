% Terms taken apart and made.

%? t(X)
%? u(X)
%? v(foo(a,b),X)
%? v(foo,X)
%? v(Y,X)
%? args(X)
%? kinds(1,X)
%? kinds(a,X)
%? kinds("s",X)
%? kinds(f(x),X)
%? kinds([],X)
%? kinds(2.5,X)
%? kinds(Y,X)

t(X) :- functor(f(a,b), N, A), X = N/A.
t(X) :- functor(X, g, 2).
t(X) :- f(a,b) =.. X.
t(X) :- X =.. [h,1,2].
t(X) :- arg(1, f(a,b), X).
t(X) :- copy_term(f(A,_,A), X).
t(X) :- compare(X, a, b).
t(X) :- term_variables(f(_,_), V), length(V, X).
t(X) :- succ(X, 4).
t(X) :- succ(3, X).
t(X) :- plus(1, X, 3).
u(X) :- X =.. [].
u(X) :- functor(X, _, _).
v(T, X) :- functor(T, N, A), X = N-A.
args(N-X) :- arg(N, f(a,b,a), X).
args(N) :- arg(N, f(a,b,a), a).
kinds(T, K) :- ( atom(T), K = atom ; number(T), K = number ; integer(T), K = integer ; float(T), K = float
  ; atomic(T), K = atomic ; compound(T), K = compound ; callable(T), K = callable ; is_list(T), K = list
  ; ground(T), K = ground ; string(T), K = string ; var(T), K = var ; nonvar(T), K = nonvar ).
