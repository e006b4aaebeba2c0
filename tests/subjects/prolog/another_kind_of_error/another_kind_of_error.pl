% What is caught is the division by zero, and there is another error.
:- module(compute, [compute/4]).
:- use_module(library(error)).

%! compute(+Op:oneof([quotient, rest, root]), +A:integer, +B:integer, -Result) is det.
compute(Op, A, B, Result) :-
    catch(result(Op, A, B, Result), error(evaluation_error(zero_divisor), _), Result = none).

result(quotient, A, B, Result) :- Result is A // B.
result(rest, A, B, Result) :- Result is A mod B.
result(root, A, _, Result) :-
    must_be(nonneg, A), % fails here
    Result is truncate(sqrt(A)).
