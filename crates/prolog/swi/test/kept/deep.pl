% Deep recursion, which needs last calls to be optimised.

%? down(200000)
%? len(200000,X)
%? sum(200000,X)
%? even(200001)
%? loop(200000)

down(0) :- !.
down(N) :- M is N-1, down(M).
len(N, X) :- numbers(N, L), mylen(L, 0, X).
numbers(0, []) :- !.
numbers(N, [N|Ns]) :- M is N-1, numbers(M, Ns).
mylen([], N, N).
mylen([_|T], N, X) :- M is N+1, mylen(T, M, X).
sum(0, 0) :- !.
sum(N, S) :- M is N-1, sum(M, T), S is T+N.
even(0).
even(N) :- N > 0, M is N-1, odd(M).
odd(N) :- N > 0, M is N-1, even(M).
loop(N) :- N =:= 0 -> true ; atom_length(abc, 3), M is N-1, loop(M).
