% Constraints of clpfd.

%? t(X)
%? u(X,Y)
%? puzzle(X)
%? v(X)
%? queens(4,X)
%? big(7)

:- use_module(library(clpfd)).
t(X) :- X #> 3, X #< 6, label([X]).
t(X) :- 3 #= X+1.
u(X, Y) :- X in 1..3, Y #= X*2, Y #\= 4, labeling([down], [X]).
puzzle([X,Y]) :- [X,Y] ins 0..5, X + Y #= 7, X #< Y, label([X,Y]).
v(X) :- X #= 1, X #\= 1.
v(X) :- X #= a.
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), label(Qs).
safe([]).
safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).
no_attack(_, [], _).
no_attack(Q, [Q1|Qs], D) :- Q #\= Q1, abs(Q-Q1) #\= D, D1 is D+1, no_attack(Q, Qs, D1).
big(X) :- X #> 5, X #= Y, Y == 7.
