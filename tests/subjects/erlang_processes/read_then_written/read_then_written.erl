%% A counter that is read by one message and written by another: what somebody else writes in between is
%% lost. Two processes read and then write, 4! / (2! 2!) orders in the counter's mailbox, and for each of them
%% either may be the first to be done.
-module(read_then_written).
-export([run/0]).

-spec run() -> 2.
run() ->
    Self = self(),
    Counter = spawn(fun() -> counter(0) end),
    [spawn(fun() -> increment(Counter), Self ! done end) || _ <- [1, 2]],
    receive done -> ok end,
    receive done -> ok end,
    2 = read(Counter). % fails here

-ifdef(REPAIRED).
increment(Counter) ->
    Counter ! {add, 1, self()},
    receive added -> ok end.
-else.
increment(Counter) ->
    Counter ! {write, read(Counter) + 1, self()},
    receive written -> ok end.
-endif.

read(Counter) ->
    Counter ! {read, self()},
    receive {value, Value} -> Value end.

counter(Value) ->
    receive
        {read, From} -> From ! {value, Value}, counter(Value);
        {write, New, From} -> From ! written, counter(New);
        {add, N, From} -> From ! added, counter(Value + N)
    end.
