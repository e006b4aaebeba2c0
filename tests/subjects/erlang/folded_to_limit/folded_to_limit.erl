%% A function and a list as inputs, folded by the library: what is spent is checked only at the end.
-module(folded_to_limit).
-export([spent/2]).

-spec spent(fun((0..9) -> 0..30), [0..9]) -> 0..99.
-ifdef(REPAIRED).
spent(Cost, Items) -> lists:foldl(fun(Item, Sum) -> min(99, Sum + Cost(Item)) end, 0, Items).
-else.
spent(Cost, Items) ->
    case lists:foldl(fun(Item, Sum) -> Sum + Cost(Item) end, 0, Items) of
        Sum when Sum < 100 -> Sum;
        Sum -> erlang:error({overspent, Sum}) % fails here
    end.
-endif.
