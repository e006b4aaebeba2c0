% Goals that are known at run time.

%? t1(X)
%? t2(X)
%? t3(X)
%? t4(X)
%? t5(X)
%? t6(X)
%? t7(X)
%? t8(X)
%? t9(X)
%? t10(X)
%? own(X)

t1(X) :- maplist(plus(1), [1,2,3], X).
t2(X) :- foldl(add, [1,2,3], 0, X).
t3(X) :- G = pick(X), call(G).
t4(X) :- G = pick, call(G, X).
t5(X) :- include(big, [1,5,2,7], X).
t6(X) :- call((pick(X), X > 1)).
t7(X) :- call((pick(X), !)).
t8(X) :- G = 1, call((G ; pick(X))).
t9(X) :- call(_, X).
t10(X) :- call((fail, 1)), X = 1.
t10(X) :- maplist([Y,Z]>>(Z is Y*2), [1,2], X).
own(X) :- twice(add(3), 1, X).
own(X) :- G =.. [add, 1, 2, X], G.
own(X) :- once(pick(X)).
own(X) :- ignore((pick(X), X > 1)).
own(X) :- ignore(fail), X = ignored.
twice(G, X, Z) :- call(G, X, Y), call(G, Y, Z).
add(X, Y, Z) :- Z is X+Y.
pick(1). pick(2). pick(3).
big(X) :- X > 3.
