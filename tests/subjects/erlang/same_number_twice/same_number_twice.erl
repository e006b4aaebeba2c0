%% `gb_trees:insert` refuses a key that is there already.
-module(same_number_twice).
-export([ranks/1]).

-spec ranks([integer()]) -> [{integer(), pos_integer()}].
ranks(Numbers) -> ranks(Numbers, 1, gb_trees:empty()).

-ifdef(REPAIRED).
ranks([], _, Tree) -> gb_trees:to_list(Tree);
ranks([Number | Rest], N, Tree) -> ranks(Rest, N + 1, gb_trees:enter(Number, N, Tree)).
-else.
ranks([], _, Tree) -> gb_trees:to_list(Tree);
ranks([Number | Rest], N, Tree) -> ranks(Rest, N + 1, gb_trees:insert(Number, N, Tree)). % fails here
-endif.
