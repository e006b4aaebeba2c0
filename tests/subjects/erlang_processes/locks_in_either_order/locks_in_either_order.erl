%% Two processes need two locks; if they take them in opposite orders, each may have one and wait for the
%% other for ever.
-module(locks_in_either_order).
-export([run/1]).

-spec run(same | opposite) -> done.
run(Order) ->
    Self = self(),
    Locks = [spawn(fun free/0) || _ <- [1, 2]],
    spawn(fun() -> work(Locks, Self) end),
    spawn(fun() -> work(ordered(Order, Locks), Self) end),
    receive finished -> ok end,
    receive finished -> done end.

-ifdef(REPAIRED).
ordered(_, Locks) -> Locks.
-else.
ordered(same, Locks) -> Locks;
ordered(opposite, Locks) -> lists:reverse(Locks).
-endif.

work(Locks, Main) ->
    [take(Lock) || Lock <- Locks],
    [Lock ! release || Lock <- Locks],
    Main ! finished.

take(Lock) ->
    Lock ! {take, self()},
    receive {taken, Lock} -> ok end.

free() ->
    receive {take, Pid} -> Pid ! {taken, self()} end,
    receive release -> free() end.
