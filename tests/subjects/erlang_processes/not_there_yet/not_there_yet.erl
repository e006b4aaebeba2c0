%% A mailbox is looked into once (`after 0`), and what is on its way is not there yet: 2 executions, one in
%% which it has come and one in which it has not.
-module(not_there_yet).
-export([run/0]).

-spec run() -> here | nothing.
run() ->
    Self = self(),
    spawn(fun() -> Self ! here end),
    found(receive Message -> Message after 0 -> nothing end).

-ifdef(REPAIRED).
found(Found) -> Found.
-else.
found(Found) -> here = Found. % fails here
-endif.
