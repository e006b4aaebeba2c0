%% The largest of values of which some are `undefined` is `undefined`, since atoms are above numbers.
-module(latest_of_undefined).
-export([latest/1]).

-spec latest([non_neg_integer() | undefined]) -> non_neg_integer().
-ifdef(REPAIRED).
latest(Times) ->
    lists:foldl(fun max/2, 0, [Time || Time <- Times, is_integer(Time)]).
-else.
latest(Times) ->
    lists:foldl(fun max/2, 0, Times).
-endif.
