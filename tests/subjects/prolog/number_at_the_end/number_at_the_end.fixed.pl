% The repaired twin: the end ends a number, too.
:- module(lex, [lex/2]).

%! lex(+Chars:list(oneof([d, x])), -Tokens:list) is det.
%
%  d is a digit: as many of them as there are make one number; x stands for itself.
lex(Chars, Tokens) :-
    phrase(tokens(Tokens), Chars),
    !.

tokens([number(N)|Tokens]) --> [d], digits(1, N), tokens(Tokens).
tokens([x|Tokens]) --> [x], tokens(Tokens).
tokens([]) --> [].

digits(N0, N) --> [d], { N1 is N0 + 1 }, digits(N1, N).
digits(N, N) --> next(x).
digits(N, N) --> \+ [_].

%  Looks at what comes next, and puts it back.
next(Char), [Char] --> [Char].
