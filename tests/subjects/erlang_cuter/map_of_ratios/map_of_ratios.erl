%% After CutEr's maps, where it reports an error that is none: a map is made, added to and matched.
-module(map_of_ratios).
-export([ratio/1]).

-spec ratio(-1000..1000) -> float().
ratio(N) ->
    Known = #{number => N},
    case Known#{square => N * N - 9} of
        #{number := M, square := Square} when M > 3 -> M / Square;
        #{square := Square} -> under(Square)
    end.

-ifdef(REPAIRED).
under(0) -> 0.0;
under(Square) -> 10 / Square.
-else.
under(Square) -> 10 / Square. % fails here
-endif.
