% The repaired twin: what has other leaves is no tree.
%! weight(+Tree:any, -Weight:integer) is semidet.
weight(leaf(X), X) :- integer(X).
weight(node(Left, Right), Weight) :-
    weight(Left, L),
    weight(Right, R),
    Weight is L + R.
