% Exceptions, caught and not.

%? t1(X)
%? t2(X)
%? t3(X)
%? t4(X)
%? t5(X)
%? t6(X)
%? t7(X)
%? t8(X)
%? t9(X)

t1(X) :- catch(throw(oops(1)), oops(X), true).
t2(X) :- catch(bad(X), error(type_error(T, V), _), X = T-V).
t3(X) :- catch(in(X), stop, X = stopped).
t4(_) :- throw(my(_, b)).
t5(X) :- catch(t4(X), my(a, Y), X = Y).
t6(X) :- catch(catch(throw(a), b, X = 1), a, X = 2).
t7(X) :- catch(undefined_one(X), error(existence_error(W, P), _), X = W-P).
t8(X) :- catch(( X = 1 ; X = 2 ; throw(end) ), end, X = 3).
t9(X) :- catch(atom_length(_, X), E, ( E = error(F, _), throw(again(F)) )).
bad(X) :- Y = foo, X is Y+1.
in(1). in(2). in(_) :- throw(stop).
