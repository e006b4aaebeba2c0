% The repaired twin: the grade is unified after the cut.
:- module(grades, [answer/3]).

%! answer(+Points:between(0, 100), +Grade:oneof([good, fair, poor]), -Answer:boolean) is det.
answer(Points, Grade, true) :-
    grade(Points, Grade),
    !,
    assertion(\+ too_low(Points, Grade)).
answer(_, _, false).

grade(Points, Grade) :- Points >= 80, !, Grade = good.
grade(Points, Grade) :- Points >= 50, !, Grade = fair.
grade(_, poor).

too_low(Points, Grade) :- Points >= 50, Grade == poor.
