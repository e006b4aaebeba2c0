%% Tuples of any size, and a place that is one too far.
-module(one_place_too_far).
-export([middle/2]).

-spec middle(tuple(), 0..5) -> term().
-ifdef(REPAIRED).
middle(Tuple, Offset) when tuple_size(Tuple) > 2, Offset < tuple_size(Tuple) - 1 ->
    element(2 + Offset, Tuple);
middle(_, _) ->
    none.
-else.
middle(Tuple, Offset) when tuple_size(Tuple) > 2, Offset < tuple_size(Tuple) ->
    element(2 + Offset, Tuple); % fails here
middle(_, _) ->
    none.
-endif.
