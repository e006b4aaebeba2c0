%% A map in which two keys have one value cannot be turned round.
-module(inverted_map).
-export([inverse/1]).
-include_lib("stdlib/include/assert.hrl").

-type key() :: a | b | c.

-ifdef(REPAIRED).
-spec inverse(#{key() => 0..9}) -> #{0..9 => [key()]}.
inverse(Map) ->
    Inverse = maps:fold(
        fun(Key, Value, Sofar) -> Sofar#{Value => [Key | maps:get(Value, Sofar, [])]} end, #{}, Map),
    ?assertEqual(map_size(Map), length(lists:append(maps:values(Inverse)))),
    Inverse.
-else.
-spec inverse(#{key() => 0..9}) -> #{0..9 => key()}.
inverse(Map) ->
    Inverse = maps:fold(fun(Key, Value, Sofar) -> Sofar#{Value => Key} end, #{}, Map),
    ?assertEqual(map_size(Map), map_size(Inverse)), % fails here
    Inverse.
-endif.
