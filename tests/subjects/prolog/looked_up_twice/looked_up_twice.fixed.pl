% The repaired twin: a cut where the key is found.
:- module(table, [lookup/3]).

%! lookup(+Table:list(pair), +Key:atom, -Value) is det.
%
%  The value of the first pair with this key, or none.
lookup([], _, none).
lookup([Key-Found|_], Key, Value) :- !, Value = Found.
lookup([_|Table], Key, Value) :-
    lookup(Table, Key, Value).
