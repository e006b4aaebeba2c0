% Conditional compilation, term and goal expansion.

%? t(X)
%? e(X)

:- if(current_prolog_flag(bounded, false)).
t(big).
:- else.
t(small).
:- endif.
:- discontiguous t/1.
term_expansion(gen(N), [t(N), t(M)]) :- M is N+1.
gen(1).
goal_expansion(double(X, Y), Y is X*2).
e(X) :- double(4, X).
