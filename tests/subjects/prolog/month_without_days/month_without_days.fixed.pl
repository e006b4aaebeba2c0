% The repaired twin: all twelve are there.
:- module(calendar, [days/3]).

%! days(+Month:between(1, 12), +Leap:boolean, -Days:integer) is det.
days(2, Leap, Days) :- !, ( Leap == true -> Days = 29 ; Days = 28 ).
days(Month, _, 31) :- long(Month), !.
days(Month, _, 30) :- short(Month), !.

long(1).
long(3).
long(5).
long(7).
long(8).
long(10).
long(12).

short(4).
short(6).
short(9).
short(11).
