% The repaired twin: parentheses.
%! ticket(+Age:nonneg, +Member:boolean, -Price:integer) is det.
ticket(Age, Member, Price) :-
    once(fee(Age, Member, Fee)),
    Price is Fee + 2.

fee(Age, Member, Fee) :- ( Age >= 65 ; Member == true ), Fee = 0.
fee(_, _, 10).
