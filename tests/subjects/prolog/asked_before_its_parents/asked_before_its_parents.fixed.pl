% The repaired twin: the recursion goes down a generation each time.
%! related(+A:oneof([ida, jon, kim, leo]), +B:oneof([ida, jon, kim, leo]), -How) is det.
related(A, A, same) :- !.
related(A, B, How) :-
    (   parent(A, B)
    ->  How = parent
    ;   parent(B, A)
    ->  How = child
    ;   ancestor(A, B)
    ->  How = ancestor
    ;   How = none
    ).

ancestor(A, B) :- parent(A, B).
ancestor(A, B) :- parent(A, P), ancestor(P, B).

parent(ida, jon).
parent(jon, kim).
parent(kim, leo).
