%% What is packed and unpacked must be as it was; a run of more than three is counted as three.
-module(runs_of_four).
-export([round_trip/1]).
-include_lib("stdlib/include/assert.hrl").

-spec round_trip([integer()]) -> ok.
round_trip(List) ->
    Unpacked = lists:append([lists:duplicate(N, X) || {N, X} <- pack(List)]),
    ?assert(Unpacked =:= List), % fails here
    ok.

pack([]) -> [];
pack([X | Rest]) -> pack(X, 1, Rest).

-ifdef(REPAIRED).
pack(X, N, [X | Rest]) when N < 3 -> pack(X, N + 1, Rest);
pack(X, N, Rest) -> [{N, X} | pack(Rest)].
-else.
pack(X, N, [X | Rest]) -> pack(X, min(N + 1, 3), Rest);
pack(X, N, Rest) -> [{N, X} | pack(Rest)].
-endif.
