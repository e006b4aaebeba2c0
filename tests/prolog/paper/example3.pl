% : entry = "p/1"
% : classes = ['p(b)', 'p(a)', 'p(s(a))', 'p(s(b))']
% Example 3 of "Concolic Testing in CLP". Its derivation is that of `p(s(a))`, by the second rule and then
% the third. What its constraint excludes is the first rule; none of the first two, and the second without
% the third, are the others.

%! p(+X:any) is nondet.
p(X) :- X = a.
p(s(Y)) :- q(Y).

q(W) :- W = a.
