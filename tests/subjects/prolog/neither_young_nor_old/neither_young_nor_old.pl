% A chain of conditions that has no end fails where none of them holds.
%! discount(+Age:nonneg, +Member:boolean, -Percent:integer) is det.
discount(Age, Member, Percent) :-
    (   Member == true
    ->  (   Age < 18
        ->  Percent = 60
        ;   Age >= 65
        ->  Percent = 40
        )
    ;   Percent = 0
    ).
