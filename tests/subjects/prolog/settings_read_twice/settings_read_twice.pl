% A parser in two clauses, the second of which excludes the first by hand.
%! settings(+Chars:list(oneof([a, b, =, ;])), -Settings) is det.
%
%  Pairs of letters, each of which ends at a semicolon or the end; or bad.
settings(Chars, Settings) :-
    phrase(pairs(Settings), Chars).
settings(Chars, bad) :-
    \+ phrase(pairs(_), Chars).

pairs([Key-Value|Pairs]) --> letter(Key), [=], letter(Value), rest(Pairs).

rest([]) --> [].
rest(Pairs) --> [;], pairs(Pairs).

letter(a) --> [a].
letter(b) --> [b].
