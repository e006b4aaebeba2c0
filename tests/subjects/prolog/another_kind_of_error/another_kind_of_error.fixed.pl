% The repaired twin: whatever the error is, there is no result.
:- module(compute, [compute/4]).
:- use_module(library(error)).

%! compute(+Op:oneof([quotient, rest, root]), +A:integer, +B:integer, -Result) is det.
compute(Op, A, B, Result) :-
    catch(result(Op, A, B, Result), error(_, _), Result = none).

result(quotient, A, B, Result) :- Result is A // B.
result(rest, A, B, Result) :- Result is A mod B.
result(root, A, _, Result) :-
    must_be(nonneg, A),
    Result is truncate(sqrt(A)).
