%% Each frame says its own length, and the last one may not have come as a whole.
-module(frame_cut_short).
-export([frames/1]).

-spec frames(binary()) -> [binary()].
-ifdef(REPAIRED).
frames(<<Length, Body:Length/binary, Rest/binary>>) -> [Body | frames(Rest)];
frames(<<_, _/binary>>) -> [];
frames(<<>>) -> [].
-else.
frames(<<Length, Body:Length/binary, Rest/binary>>) -> [Body | frames(Rest)]; % fails here
frames(<<>>) -> [].
-endif.
