%% After CutEr's `foo11i`: every number of a list is weighed against 42, and nobody has thought of balance.
-module(off_balance).
-export([all/1]).

-spec all([integer()]) -> ok.
all(Numbers) -> lists:foreach(fun weigh/1, Numbers).

-ifdef(REPAIRED).
weigh(N) ->
    case side(N - 42) of
        left -> ok;
        right -> ok;
        middle -> ok
    end.
-else.
weigh(N) ->
    case side(N - 42) of % fails here
        left -> ok;
        right -> ok
    end.
-endif.

side(Difference) when Difference < 0 -> left;
side(Difference) when Difference > 0 -> right;
side(0) -> middle.
