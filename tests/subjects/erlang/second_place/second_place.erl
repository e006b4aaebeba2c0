%% A list of two numbers has a second largest one, unless both are equal: the place is then asked for in
%% a list of one.
-module(second_place).
-export([second/1]).

-spec second([integer()]) -> integer() | none.
-ifdef(REPAIRED).
second(Numbers) ->
    case lists:reverse(lists:usort(Numbers)) of
        [_, Second | _] -> Second;
        _ -> none
    end.
-else.
second(Numbers) when length(Numbers) < 2 ->
    none;
second(Numbers) ->
    lists:nth(2, lists:reverse(lists:usort(Numbers))). % fails here
-endif.
