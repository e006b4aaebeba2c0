% If-then-else, soft cut, disjunction.

%? ite(1,X)
%? ite(2,X)
%? ite(3,X)
%? ite(Z,X)
%? soft(X)
%? soft2(X)
%? noelse(1)
%? noelse(2)
%? nested(X,Y)
%? disj(X)

ite(A, X) :- ( A == 1 -> X = one ; A == 2 -> ( X = two ; X = zwei ) ; X = other ).
m(1). m(2). m(3).
soft(X) :- ( m(X) *-> true ; X = none ).
soft(X) :- ( m(X), X > 5 *-> true ; X = none ).
soft2(X-Y) :- ( m(X), X > 1 *-> m(Y), Y < X ; Y = 0 ).
noelse(X) :- ( X = 1 -> true ).
nested(X, Y) :- ( m(X), ( X > 1 -> Y = big ; X =:= 1 -> ( Y = a ; Y = b ) ; fail ) ; X = 0, Y = zero ).
disj(X) :- ( X = 1 ; X = 2, ! ; X = 3 ).
disj(4).
