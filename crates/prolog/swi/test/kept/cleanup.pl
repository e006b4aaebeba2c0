% Goals with a cleanup.

%? t(X)
%? u(X)
%? v(X)

t(X) :- setup_call_cleanup(write(open), member(X, [1,2]), write(closed)).
u(X) :- call_cleanup(X = 1, write(done)).
v(X) :- catch(setup_call_cleanup(true, throw(x), write(closed)), E, X = E).
