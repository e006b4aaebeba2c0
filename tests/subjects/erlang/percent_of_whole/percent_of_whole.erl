%% A part that is larger than its whole is more than a hundred percent, which the spec does not know.
-module(percent_of_whole).
-export([percent/2]).

-spec percent(non_neg_integer(), pos_integer()) -> 0..100.
-ifdef(REPAIRED).
percent(Part, Whole) ->
    min(100, Part * 100 div Whole).
-else.
percent(Part, Whole) ->
    Part * 100 div Whole.
-endif.
