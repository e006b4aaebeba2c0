% Towers.

%? hanoi(4)
%? moves(5,X)

hanoi(N) :- move(N, left, right, centre).
move(0, _, _, _) :- !.
move(N, A, B, C) :- M is N-1, move(M, A, C, B), format("~w>~w ", [A, B]), move(M, C, B, A).
moves(0, []).
moves(N, Ms) :- N > 0, M is N-1, moves(M, A), moves(M, B), append(A, [N|B], Ms).
