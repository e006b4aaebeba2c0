% Choice points that indexing leaves, and those it does not.

%? color(red,X)
%? color(X,1)
%? shape(square(2),X)
%? second(z,b,X)
%? late(a,X)
%? unify(a,X)
%? unify(f(1),X)
%? listlen([],X)
%? listlen([a,b],X)

color(red, 1). color(green, 2). color(blue, 3).
shape(circle(R), A) :- A is 3*R*R.
shape(square(S), A) :- A is S*S.
shape(rect(A, B), C) :- C is A*B.
second(_, a, 1).
second(_, b, 2).
second(_, c, 3).
late(X, Y) :- X = a, Y = 1.
late(X, Y) :- X = b, Y = 2.
unify(X, 1) :- X = a, !.
unify(X, Y) :- X = f(Y).
unify(X, Y) :- Y = X.
listlen([], 0).
listlen([_|T], N) :- listlen(T, M), N is M+1.
