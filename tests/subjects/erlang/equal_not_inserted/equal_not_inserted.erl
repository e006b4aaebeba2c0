%% Insertion knows of smaller and of larger elements, but not of equal ones.
-module(equal_not_inserted).
-export([sorted/1]).

-spec sorted([integer()]) -> [integer()].
sorted(List) -> lists:foldl(fun insert/2, [], List).

-ifdef(REPAIRED).
insert(X, []) -> [X];
insert(X, [Y | Rest] = List) ->
    if
        X =< Y -> [X | List];
        X > Y -> [Y | insert(X, Rest)]
    end.
-else.
insert(X, []) -> [X];
insert(X, [Y | Rest] = List) ->
    if % fails here
        X < Y -> [X | List];
        X > Y -> [Y | insert(X, Rest)]
    end.
-endif.
