%% Neither above nor below: thirty degrees exactly are in none of the ranges, unless it rains.
-module(thirty_degrees).
-export([weather/2]).

-spec weather(-50..60, boolean()) -> hot | mild | cold.
-ifdef(REPAIRED).
weather(Degrees, Rain) ->
    if
        Degrees > 30 andalso not Rain -> hot;
        Rain orelse Degrees > 10 andalso Degrees < 30 -> mild;
        Degrees =:= 30 -> mild;
        Degrees =< 10 -> cold
    end.
-else.
weather(Degrees, Rain) ->
    if % fails here
        Degrees > 30 andalso not Rain -> hot;
        Rain orelse Degrees > 10 andalso Degrees < 30 -> mild;
        Degrees =< 10 -> cold
    end.
-endif.
