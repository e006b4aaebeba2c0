%% After CutEr's `l2i`: digits that are read as a number by the library, and one number that is not valid.
-module(ticket).
-export([valid/1]).

-spec valid([$0..$9, ...]) -> boolean().
-ifdef(REPAIRED).
valid(Digits) -> list_to_integer(Digits) =/= 42.
-else.
valid(Digits) ->
    true = list_to_integer(Digits) =/= 42, % fails here
    true.
-endif.
