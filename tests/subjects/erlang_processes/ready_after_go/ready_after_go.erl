%% Whoever waits for `ready` throws everything else away, also the `go` that it will wait for next.
%% Two messages in one mailbox: 2 orders.
-module(ready_after_go).
-export([run/0]).

-spec run() -> started.
run() ->
    Self = self(),
    spawn(fun() -> Self ! ready end),
    spawn(fun() -> Self ! go end),
    wait(ready),
    wait(go),
    started.

-ifdef(REPAIRED).
wait(Message) -> receive Message -> ok end.
-else.
wait(Message) ->
    receive
        Message -> ok;
        _ -> wait(Message)
    end.
-endif.
