% Assertions.

%? t(1)
%? t(-1)
%? t(X)
%? caught(X)

:- use_module(library(debug)).
t(X) :- assertion(X > 0), true.
caught(X) :- catch(t(-1), error(assertion_error(X, _), _), true).
