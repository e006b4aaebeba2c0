%% Years that four divides have a 29th of February, but most of those that end a century have not: the
%% two functions that know do not agree about them.
-module(century_leap).
-export([next/3]).

-type date() :: {1583..9999, 1..12, 1..31}.

-spec next(1583..9998, 1..12, 1..31) -> date().
next(Year, Month, Day) ->
    case Day < last(Year, Month) of
        true when Month =:= 2 -> {Year, 2, february(Day + 1, leap(Year))};
        true -> {Year, Month, Day + 1};
        false when Month =:= 12 -> {Year + 1, 1, 1};
        false -> {Year, Month + 1, 1}
    end.

-ifdef(REPAIRED).
last(Year, 2) ->
    case leap(Year) of
        true -> 29;
        false -> 28
    end;
last(_, Month) when Month =:= 4; Month =:= 6; Month =:= 9; Month =:= 11 -> 30;
last(_, _) -> 31.
-else.
last(Year, 2) when Year rem 4 =:= 0 -> 29;
last(_, 2) -> 28;
last(_, Month) when Month =:= 4; Month =:= 6; Month =:= 9; Month =:= 11 -> 30;
last(_, _) -> 31.
-endif.

leap(Year) ->
    Year rem 4 =:= 0 andalso (Year rem 100 =/= 0 orelse Year rem 400 =:= 0).

february(Day, _) when Day =< 28 -> Day; % fails here
february(29, true) -> 29.
