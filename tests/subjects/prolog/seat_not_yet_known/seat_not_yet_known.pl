% Negation of a goal whose variable is bound only afterwards: no seat is free as soon as one is taken.
:- use_module(library(lists)).

%! seat(+Taken:list(between(1, 4)), -Seat) is det.
%
%  The first seat that is free, or none.
seat(Taken, Seat) :-
    sort(Taken, Seats),
    length(Seats, N),
    (   N < 4
    ->  \+ member(Seat, Taken),
        between(1, 4, Seat),
        !
    ;   Seat = none
    ).
