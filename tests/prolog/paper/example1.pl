% : entry = "p/1"
% : classes = ['p(a)', 'p(f(a))', 'p(f(b))', 'p(f(c))']
% Example 1 of Mesnard, Payet and Vidal, "Concolic Testing in CLP". Four classes: no rule; the first and
% the second; the second, then the third; the second, and then none.

%! p(+X:any) is nondet.
p(f(a)).
p(f(X)) :- q(X).

q(b).
