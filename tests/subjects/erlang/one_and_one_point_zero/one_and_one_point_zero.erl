%% A guard compares by value, a pattern by kind as well: 1.0 is equal to 1, but does not match it.
-module(one_and_one_point_zero).
-export([name/1]).

-spec name(number()) -> nothing | one | many.
name(N) when N < 1 -> nothing;
name(N) when N == 1 -> single(N);
name(_) -> many.

-ifdef(REPAIRED).
single(N) ->
    case N of
        1 -> one;
        1.0 -> one
    end.
-else.
single(N) ->
    case N of % fails here
        1 -> one
    end.
-endif.
