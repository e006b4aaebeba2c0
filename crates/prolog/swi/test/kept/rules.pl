% Rules with =>.

%? p(f(3),X)
%? p(f(0),X)
%? p(a,X)
%? p(b,X)
%? p(Y,X)
%? len([a,b,c],X)
%? len([a|Y],X)
%? same(a,a,X)
%? same(a,b,X)
%? same(Y,Y,X)
%? same(Y,Z,X)
%? multi(X)
%? deep(100000)
%? libs(X)

p(f(X), Y), X > 1 => Y = big.
p(f(_), Y) => Y = small.
p(a, Y) => ( Y = 1 ; Y = 2 ).
p(X, Y), var(X) => Y = unbound.
len(L, N) => len(L, 0, N).
len([], N0, N) => N = N0.
len([_|T], N0, N) => N1 is N0+1, len(T, N1, N).
same(X, X, Y) => Y = yes.
same(_, _, Y) => Y = no.
multi(X), member(Y, [1,2,3]), Y > 1 => X = Y.
deep(0) => true.
deep(N) => M is N-1, deep(M).
libs(X) :- sum_list([1,2,3], X).
libs(X) :- ord_union([a,c], [b], X).
libs(X) :- max_member(X, [1,3,2]).
libs(X) :- sum_list([1|_], X).
