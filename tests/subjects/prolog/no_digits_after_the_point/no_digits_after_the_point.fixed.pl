% The repaired twin: without digits it is no price.
:- use_module(library(apply)).
:- use_module(library(lists)).

%! cents(+Keys:list(oneof([d0, d2, point])), -Cents:integer) is semidet.
%
%  Keys that were pressed: digits, a point, digits.
cents(Keys, Cents) :-
    append(Before, [point|After], Keys),
    !,
    digits(Before, Whole),
    digits(After, Rest),
    Whole \== [],
    Rest \== [],
    number_codes(W, Whole),
    number_codes(R, Rest),
    Cents is W * 100 + R.

digits(Keys, Codes) :- maplist(digit, Keys, Codes).

digit(d0, 0'0).
digit(d2, 0'2).
