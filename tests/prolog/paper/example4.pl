% : entry = "p/1"
% : classes = ['p(s(b))', 'p(a)', 'p(b)']
% Example 4 of "Concolic Testing in CLP": alternatives of a call of q that has matched its second rule. The
% first alone is feasible, and so is none; both at once are not.

%! p(+W:any) is nondet.
p(W) :- q(W).

q(X) :- X = a.
q(s(_)).
