%% Fields of a few bits: one kind of frame has no last one, or so it was thought.
-module(bits_of_a_header).
-export([header/1]).

-spec header(bitstring()) -> {data | ping | stop, boolean()} | old | short.
header(<<4:4, Kind:3, Last:1, _/bits>>) -> kind(Kind, Last);
header(<<_:4, _/bits>>) -> old;
header(_) -> short.

-ifdef(REPAIRED).
kind(Kind, Last) ->
    case {Kind, Last} of
        {5, 0} -> {ping, false};
        {5, 1} -> {ping, true};
        {7, 1} -> {stop, true};
        {7, 0} -> {stop, false};
        {N, _} when N =/= 5 -> {data, Last =:= 1}
    end.
-else.
kind(Kind, Last) ->
    case {Kind, Last} of % fails here
        {5, 0} -> {ping, false};
        {7, 1} -> {stop, true};
        {7, 0} -> {stop, false};
        {N, _} when N =/= 5 -> {data, Last =:= 1}
    end.
-endif.
