% The repaired twin: none may close what is not open.
%! depth(+Marks:list(oneof([open, close])), -Deepest:integer) is semidet.
depth(Marks, Deepest) :- depth(Marks, 0, 0, Deepest).

depth([], 0, Deepest, Deepest).
depth([open|Marks], Now, Deepest0, Deepest) :-
    Next is Now + 1,
    Deepest1 is max(Deepest0, Next),
    depth(Marks, Next, Deepest1, Deepest).
depth([close|Marks], Now, Deepest0, Deepest) :-
    Now > 0,
    Next is Now - 1,
    assertion(Next >= 0),
    depth(Marks, Next, Deepest0, Deepest).
