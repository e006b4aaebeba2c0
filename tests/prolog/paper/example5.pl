% : entry = "p/1"
% : classes = ['p(0)', 'p(3)', 'p(5)', 'p(8)', 'p(11)']
% Example 5 of "Concolic Testing in CLP": over naturals up to ten, a call of q matches the first and the
% third rule, the third alone, none, or the second alone. The first and the second without the third, which
% the example looks at, are not feasible. Beyond ten q is not called.
:- use_module(library(clpfd)).

%! p(+W:nonneg) is nondet.
p(W) :- W #=< 10, q(W).

q(Y) :- Y #=< 2.
q(Z) :- 8 #=< Z, Z #=< 10.
q(T) :- T #< 5.
