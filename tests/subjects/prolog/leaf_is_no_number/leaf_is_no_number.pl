% A tree whose leaves are taken for numbers.
%! weight(+Tree:any, -Weight:integer) is semidet.
weight(leaf(X), X).
weight(node(Left, Right), Weight) :-
    weight(Left, L),
    weight(Right, R),
    Weight is L + R. % fails here
