% A grammar that computes while it reads: what it divides by may be zero.
:- module(calc, [calc/2]).

%! calc(+Tokens:list(oneof([0, 1, +, /])), -Value:integer) is semidet.
calc(Tokens, Value) :-
    phrase(sum(Value), Tokens),
    !.

sum(Value) --> factor(First), more_terms(First, Value).

more_terms(Sum, Value) -->
    [+], !, factor(Next), { Sum1 is Sum + Next }, more_terms(Sum1, Value).
more_terms(Value, Value) --> [].

factor(Value) --> number(First), more_factors(First, Value).

more_factors(Product, Value) -->
    [/], !, number(Next), { divided(Product, Next, Product1) }, more_factors(Product1, Value).
more_factors(Value, Value) --> [].

number(N) --> [N], { integer(N) }.

divided(A, B, C) :- C is A // B. % fails here
