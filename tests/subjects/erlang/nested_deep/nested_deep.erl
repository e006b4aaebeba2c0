%% A result that is nested ten thousand deep comes back from the machine whole.
-module(nested_deep).
-export([nest/1]).

-spec nest(1..3) -> term().
nest(1) -> flat;
nest(2) -> lists:foldl(fun(_, Inner) -> [Inner] end, flat, lists:seq(1, 10000));
nest(3) -> last().

-ifdef(REPAIRED).
last() -> flat.
-else.
last() -> flat = inside(flat). % fails here

inside(Inner) -> [Inner].
-endif.
