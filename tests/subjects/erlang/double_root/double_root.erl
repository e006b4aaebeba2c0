%% The one case that the formula excludes, a double root, is looked for after the division.
-module(double_root).
-export([slope/2]).

-spec slope(1..1000, 1..1000) -> integer() | none.
-ifdef(REPAIRED).
slope(A, B) when B * B =:= 4 * A -> none;
slope(A, B) -> 1000 div (B * B - 4 * A).
-else.
slope(A, B) ->
    case 1000 div (B * B - 4 * A) of % fails here
        _ when B * B =:= 4 * A -> none;
        Slope -> Slope
    end.
-endif.
