% The repaired twin: the seat is known before it is asked whether it is taken.
:- use_module(library(lists)).

%! seat(+Taken:list(between(1, 4)), -Seat) is det.
%
%  The first seat that is free, or none.
seat(Taken, Seat) :-
    sort(Taken, Seats),
    length(Seats, N),
    (   N < 4
    ->  between(1, 4, Seat),
        \+ member(Seat, Taken),
        !
    ;   Seat = none
    ).
