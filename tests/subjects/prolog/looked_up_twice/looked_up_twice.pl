% What follows the pair that was found is tried as well.
:- module(table, [lookup/3]).

%! lookup(+Table:list(pair), +Key:atom, -Value) is det.
%
%  The value of the first pair with this key, or none.
lookup([], _, none).
lookup([Key-Value|_], Key, Value).
lookup([_|Table], Key, Value) :-
    lookup(Table, Key, Value).
