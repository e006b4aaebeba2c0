% Output.

%? hello(X)
%? squares
%? both(X)
%? redirected(X)
%? err(X)

hello(X) :- member(X, [a,b]), write(X), nl, print(f(X)), writeq('A b'), tab(2), format("~w-~a~n", [X, x]).
squares :- forall(between(1, 3, N), ( format("~d ", [N]), Q is N*N, writeln(Q) )).
both(X) :- ( write(before), fail ; write(after), X = 1 ).
redirected(X) :- with_output_to(string(X), write(inner)).
redirected(X) :- format(atom(X), "~w", [a]).
err(_) :- write(x), atom_length(_, _), write(y).
