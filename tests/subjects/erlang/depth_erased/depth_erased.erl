%% The process dictionary: whoever leaves a level forgets how deep it was, and the next at that level asks.
-module(depth_erased).
-export([deepest/1]).

-type nested() :: [nested()].

-spec deepest(nested()) -> non_neg_integer().
deepest(Nested) ->
    put(depth, 0),
    inside(Nested).

inside(Nested) ->
    try
        put(depth, get(depth) + 1), % fails here
        lists:foldl(fun(Inner, Deepest) -> max(Deepest, inside(Inner)) end, get(depth), Nested)
    after
        leave()
    end.

-ifdef(REPAIRED).
leave() -> put(depth, get(depth) - 1).
-else.
leave() -> erase(depth).
-endif.
