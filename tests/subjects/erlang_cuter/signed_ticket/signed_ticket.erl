%% After CutEr's `l2in`: signs may stand anywhere in the text, and where they are wrong, that is caught.
-module(signed_ticket).
-export([valid/1]).

-spec valid([$+ | $- | $0..$9]) -> boolean().
valid(Text) ->
    try list_to_integer(Text) of
        Number -> known(Number)
    catch
        error:badarg -> false
    end.

-ifdef(REPAIRED).
known(Number) -> abs(Number) =/= 42.
-else.
known(42) -> false;
known(Number) ->
    true = abs(Number) =/= 42, % fails here
    true.
-endif.
