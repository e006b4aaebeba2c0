%% What stands behind the digits of a number is a unit, or anything else.
-module(number_with_unit).
-export([bytes/1]).

-spec bytes([32..126]) -> integer() | error.
-ifdef(REPAIRED).
bytes(Text) ->
    case string:to_integer(Text) of
        {error, _} -> error;
        {_, [_, _ | _]} -> error;
        {_, [Unit]} when Unit =/= $k -> error;
        {N, ""} -> N;
        {N, "k"} -> N * 1000
    end.
-else.
bytes(Text) ->
    case string:to_integer(Text) of % fails here
        {error, _} -> error;
        {N, ""} -> N;
        {N, "k"} -> N * 1000
    end.
-endif.
