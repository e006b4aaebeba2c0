%% Every number is less than every atom, so that the check lets `infinity` pass, and it is calculated with.
-module(limit_infinity).
-export([left/2]).

-spec left(non_neg_integer(), non_neg_integer() | infinity) -> non_neg_integer() | infinity.
-ifdef(REPAIRED).
left(_, infinity) -> infinity;
left(Used, Limit) when Used < Limit -> Limit - Used;
left(_, _) -> 0.
-else.
left(Used, Limit) when Used < Limit -> Limit - Used; % fails here
left(_, _) -> 0.
-endif.
