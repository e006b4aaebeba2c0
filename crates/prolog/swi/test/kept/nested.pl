% Constructs within each other.

%? a(X)
%? b(X)
%? c(X)
%? d(X)
%? e(X)
%? f(X)
%? g(X)
%? h(X)
%? i(X)

a(L) :- findall(X-Ys, ( member(X, [1,2]), findall(Y, ( member(Y, [a,b]), \+ ( X == 1, Y == a ) ), Ys) ), L).
b(X) :- catch(findall(Y, ( member(Y, [1,2,x]), Y > 0 ), X), error(type_error(T, V), _), X = T/V).
c(X) :- catch(( member(X, [1,2,3]), ( X > 1 -> throw(found(X)) ; true ) ), found(Y), X = f(Y)).
d(X) :- forall(member(Y, [1,2]), ( Y > 0 ; Y < -5 )), ( \+ member(3, [1,2]) -> X = none ; X = some ).
e(X) :- once(( member(X, [1,2,3]), catch(q(X), _, fail) )).
e(X) :- ( member(X, [1,2,3]), \+ catch(q(X), _, fail) -> true ; X = none ).
e(X) :- G = ( member(X, [1,2,3]), ! ; X = 9 ), call(G).
e(X) :- G = ( member(X, [1,2,3]) *-> true ; X = 9 ), G.
q(X) :- X =:= 2, !.
q(X) :- X > 2, throw(no).
f(X) :- catch(catch(throw(a(1)), b(_), X = 1), a(Y), ( Z is Y+1, X = Z )).
f(X) :- catch(( catch(throw(a), a, throw(b)) ), b, X = rethrown).
f(_) :- catch(throw(c), d, true).
g(X) :- maplist([A,B]>>( A > 1 -> B = big ; B = small ), [1,2], X).
g(X) :- N = 10, maplist({N}/[A,B]>>( B is A+N ), [1,2], X).
g(X) :- foldl([A,B,C]>>( findall(Y, member(Y, [A,B]), C) ), [1,2], [], X).
g(X) :- maplist(maplist(succ), [[1],[2,3]], X).
h(X) :- bagof(A-L, setof(B, member(A-B, [1-z,2-y,1-x]), L), X).
h(X) :- aggregate_all(bag(A-C), ( member(A, [1,2]), aggregate_all(count, member(A, [1,1,2]), C) ), X).
i(X) :- ( ( fail ; true ), ( X = 1 ; X = 2 ), ! ; X = 3 ).
i(X) :- \+ \+ ( X = 1, ! ), ( nonvar(X) -> true ; X = unbound ).
