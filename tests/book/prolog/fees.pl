:- module(fees, [fee/3]).

%! fee(+Kind:oneof([adult, child, group]), +People:between(1, 50), -Fee:integer) is det.
%
%  What a visit costs; a group has a guide for every twelve, who share the deposit.
fee(adult, N, Fee) :- Fee is 10 * N.
fee(child, N, Fee) :- Fee is 5 * N.
fee(group, N, Fee) :-
    N > 10,
    !,
    Guides is N // 12,
    Fee is 8 * N + 60 // Guides.
fee(group, N, Fee) :-
    N < 10,
    fee(adult, N, Fee).
