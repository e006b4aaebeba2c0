%% Signed and little endian: one reading of 65536 divides by zero.
-module(absolute_zero).
-export([reading/1]).

-spec reading(binary()) -> {byte(), integer()} | error.
-ifdef(REPAIRED).
reading(<<Sensor, T:16/little-signed>>) when T =/= -273 -> {Sensor, 100000 div (T + 273)};
reading(_) -> error.
-else.
reading(<<Sensor, T:16/little-signed>>) -> {Sensor, 100000 div (T + 273)}; % fails here
reading(_) -> error.
-endif.
