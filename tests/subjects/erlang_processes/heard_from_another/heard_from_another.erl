%% What is passed on by another process may come before or after what was sent directly: two messages of
%% two senders in one mailbox, 2 orders. The other mailbox only ever gets one.
-module(heard_from_another).
-export([run/0]).

-spec run() -> [news | rumour].
run() ->
    Self = self(),
    Neighbour = spawn(fun() -> receive Message -> Self ! Message end end),
    spawn(fun() -> Neighbour ! rumour, Self ! news end),
    heard([receive Message -> Message end || _ <- [1, 2]]).

-ifdef(REPAIRED).
heard(Messages) -> Messages.
-else.
heard(Messages) -> [news, rumour] = Messages. % fails here
-endif.
