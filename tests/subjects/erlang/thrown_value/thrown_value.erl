%% `catch` gives what was thrown as if it were a result.
-module(thrown_value).
-export([next/2]).

-type key() :: a | b | c.

-spec next(key(), [{key(), integer()}]) -> integer() | none.
-ifdef(REPAIRED).
next(Key, List) ->
    try find(Key, List) + 1
    catch
        throw:missing -> none;
        error:empty -> none
    end.
-else.
next(Key, List) ->
    case catch find(Key, List) of
        {'EXIT', _} -> none;
        Value -> Value + 1 % fails here
    end.
-endif.

find(_, []) -> error(empty);
find(Key, List) ->
    case lists:keyfind(Key, 1, List) of
        {_, Value} -> Value;
        false -> throw(missing)
    end.
