% The repaired twin: one of both, by if-then-else.
%! settings(+Chars:list(oneof([a, b, =, ;])), -Settings) is det.
%
%  Pairs of letters, each of which ends at a semicolon or the end; or bad.
settings(Chars, Settings) :-
    (   phrase(pairs(Pairs), Chars)
    ->  Settings = Pairs
    ;   Settings = bad
    ).

pairs([Key-Value|Pairs]) --> letter(Key), [=], letter(Value), rest(Pairs).

rest([]) --> [].
rest(Pairs) --> [;], pairs(Pairs).

letter(a) --> [a].
letter(b) --> [b].
