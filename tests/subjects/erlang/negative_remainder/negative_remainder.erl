%% The remainder of a negative number is negative, and no tuple has an element with such a number.
-module(negative_remainder).
-export([shard/1]).

-spec shard(integer()) -> north | east | south | west.
shard(Id) ->
    element(1 + place(Id - 1000), {north, east, south, west}). % fails here

-ifdef(REPAIRED).
place(N) -> (N rem 4 + 4) rem 4.
-else.
place(N) -> N rem 4.
-endif.
