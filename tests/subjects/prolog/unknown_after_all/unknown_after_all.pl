% Without a cut, a known command that fails is also an unknown one.
:- module(commands, [run/3]).

%! run(+Name:oneof([add, double]), +N:nonneg, -Result:integer) is semidet.
run(Name, N, Result) :- once(command(Name, N, Result)).

command(add, N, Result) :- N < 100, Result is N + 1.
command(double, N, Result) :- N < 50, Result is 2 * N.
command(Name, _, _) :- throw(unknown_command(Name)). % fails here
