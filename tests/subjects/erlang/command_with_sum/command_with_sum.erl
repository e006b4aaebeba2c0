%% A packet is only looked at if its check sum is right; the third command divides by its argument.
-module(command_with_sum).
-export([execute/1]).

-spec execute(binary()) -> non_neg_integer() | corrupt.
execute(<<16#7E, Command, Argument, Sum>>) when Sum =:= Command bxor Argument ->
    command(Command, Argument);
execute(_) ->
    corrupt.

-ifdef(REPAIRED).
command(1, Argument) -> Argument;
command(2, Argument) -> Argument * Argument;
command(3, 0) -> 0;
command(3, Argument) -> 1000 div Argument;
command(_, _) -> 0.
-else.
command(1, Argument) -> Argument;
command(2, Argument) -> Argument * Argument;
command(3, Argument) -> 1000 div Argument; % fails here
command(_, _) -> 0.
-endif.
