% Grammars.

%? parse("12+3*4",X)
%? parse("12+",X)
%? parse("(1+2)*3",X)

%? ab([a,a,b,b])

%? ctl([x,y],X)
%? greet(X)
:- set_prolog_flag(double_quotes, codes).
parse(S, X) :- string_codes(S, Cs), phrase(expr(X), Cs).
expr(X) --> term(T), expr_rest(T, X).
expr_rest(A, X) --> "+", !, term(T), { B is A+T }, expr_rest(B, X).
expr_rest(X, X) --> [].
term(X) --> factor(F), term_rest(F, X).
term_rest(A, X) --> "*", !, factor(F), { B is A*F }, term_rest(B, X).
term_rest(X, X) --> [].
factor(X) --> "(", !, expr(X), ")".
factor(X) --> digits(Ds), { Ds = [_|_], number_codes(X, Ds) }.
digits([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, !, digits(Ds).
digits([]) --> [].
ab(L) :- length(L, N), N < 7, phrase(as_bs, L).
ab(none).
as_bs --> [].
as_bs --> [a], as_bs, [b].
ctl(L, X) :- phrase(( [x], [y] ; [z] ), L, X).
ctl(L, X) :- phrase(( \+ [z], call(rest, X) ), L, _).
rest(X, S, S) :- X = S.
greet(X) :- phrase(hello(X), [hello, world]).
hello(Y) --> [hello], [Y].
