% Interpreters.

%? solve((even(s(s(0))),nat(0)))
%? solve(undefd(1))
%? run(X)

solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve(H) :- rule(H, B), ( H = nat(s(s(s(s(0))))) -> ! ; true ), solve(B).
rule(nat(0), true).
rule(nat(s(X)), nat(X)).
rule(even(0), true).
rule(even(s(s(X))), even(X)).
run(X) :- exec([push(1), push(2), add, dup, mul], [], [X]).
exec([], S, S).
exec([I|Is], S0, S) :- step(I, S0, S1), exec(Is, S1, S).
step(push(X), S, [X|S]).
step(add, [X,Y|S], [Z|S]) :- Z is X+Y.
step(mul, [X,Y|S], [Z|S]) :- Z is X*Y.
step(dup, [X|S], [X,X|S]).
