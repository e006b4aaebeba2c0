% A semicolon without parentheses: the second half of the line belongs to one side only.
%! ticket(+Age:nonneg, +Member:boolean, -Price:integer) is det.
ticket(Age, Member, Price) :-
    once(fee(Age, Member, Fee)),
    Price is Fee + 2. % fails here

fee(Age, Member, Fee) :- Age >= 65 ; Member == true, Fee = 0.
fee(_, _, 10).
