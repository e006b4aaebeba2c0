%% Two processes send to a third, which thinks that who was started first is heard first. Two messages
%% arrive in one mailbox: 2! orders.
-module(two_to_one).
-export([run/0]).

-spec run() -> [a | b].
run() ->
    Self = self(),
    spawn(fun() -> Self ! a end),
    spawn(fun() -> Self ! b end),
    both(next(), next()).

next() -> receive Message -> Message end.

-ifdef(REPAIRED).
both(First, Second) -> [First, Second].
-else.
both(First, Second) -> [a, b] = [First, Second]. % fails here
-endif.
