%% Version 2 of the protocol is written without a point.
-module(version_digits).
-export([version/1]).

-spec version(binary()) -> {byte(), byte()} | unknown.
version(<<"HTTP/", Version/binary>>) -> numbers(Version);
version(_) -> unknown.

-ifdef(REPAIRED).
numbers(<<Major, ".", Minor, _/binary>>) -> {Major, Minor};
numbers(<<Major, _/binary>>) -> {Major, $0};
numbers(<<>>) -> unknown.
-else.
numbers(<<Major, _/binary>> = Version) when Major >= $0, Major =< $9 ->
    <<_, ".", Minor, _/binary>> = Version, % fails here
    {Major, Minor};
numbers(_) ->
    unknown.
-endif.
