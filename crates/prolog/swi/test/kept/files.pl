% A program of several files.

%? t(X)
%? u(X)
%? v(X)
%? w(X)
%? e([1,2])
%? e([1,-2])
%? x(X)
%? o(X)

:- use_module(parts/shapes).
:- include(parts/more).
:- multifile extra/1.
:- dynamic extra/1.

extra(own).
shapes:added(X) :- area(square(3), X).

t(X) :- area(circle(2), X).
t(X) :- area([circle(1), square(2)], X).
t(X) :- area(triangle, X).
u(X) :- included(X).
v(X) :- extra(X).
w(X) :- shapes:added(X).
w(X) :- shapes:parts([square(1)], X).
w(X) :- M = shapes, M:area(square(5), X).
e(L) :- each(positive, L).
positive(X) :- X > 0.
x(yes) :- circle(2) covers square(3).
x(no) :- \+ square(1) covers circle(1).
o(X) :- assertz(shapes:opened(door)), opened(X).
o(X) :- retract(opened(X)).
o(X) :- shapes:opened(X).
