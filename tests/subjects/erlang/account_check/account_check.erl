%% Numbers of more than 64 bits: nobody has thought of those between short and long ones that are valid.
-module(account_check).
-export([check/1]).

-define(SHORT, 16#10000000000000000).
-define(LONG, 16#1000000000000000000000000).

-spec check(non_neg_integer()) -> short | long | invalid | usual.
-ifdef(REPAIRED).
check(N) ->
    if
        N < ?SHORT -> short;
        N rem 97 =/= 1 -> invalid;
        N >= ?LONG -> long;
        true -> usual
    end.
-else.
check(N) ->
    if % fails here
        N < ?SHORT -> short;
        N rem 97 =/= 1 -> invalid;
        N >= ?LONG -> long
    end.
-endif.
