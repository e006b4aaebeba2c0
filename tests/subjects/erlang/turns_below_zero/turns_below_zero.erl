%% Two functions that call each other take two and three away and wait for nothing to be left, of which
%% they may step over.
-module(turns_below_zero).
-export([winner/1]).

-spec winner(0..200) -> white | black.
winner(Stones) -> white(Stones).

-ifdef(REPAIRED).
white(N) when N =< 0 -> black;
white(N) -> black(N - 2).
-else.
white(0) -> black;
white(N) -> black(N - 2).
-endif.

-ifdef(REPAIRED).
black(N) when N =< 0 -> white;
black(N) -> white(N - 3).
-else.
black(0) -> white;
black(N) -> white(N - 3).
-endif.
