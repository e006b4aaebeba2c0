% Cuts that are green while the grade is asked for are red when it is given: then the first head does
% not match, and the last clause is true of everybody.
:- module(grades, [answer/3]).

%! answer(+Points:between(0, 100), +Grade:oneof([good, fair, poor]), -Answer:boolean) is det.
answer(Points, Grade, true) :-
    grade(Points, Grade),
    !,
    assertion(\+ too_low(Points, Grade)). % fails here
answer(_, _, false).

grade(Points, good) :- Points >= 80, !.
grade(Points, fair) :- Points >= 50, !.
grade(_, poor).

too_low(Points, Grade) :- Points >= 50, Grade == poor.
