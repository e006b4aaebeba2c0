%% A linked process that breaks takes its parent with it, if that has not said in time that it wants to
%% hear of it as a message.
-module(trapped_too_late).
-export([run/0]).

-spec run() -> broken.
run() ->
    Child = started(),
    receive {'EXIT', Child, Reason} -> Reason end.

-ifdef(REPAIRED).
started() ->
    process_flag(trap_exit, true),
    spawn_link(fun() -> exit(broken) end).
-else.
started() ->
    Child = spawn_link(fun() -> exit(broken) end), % or here
    process_flag(trap_exit, true), % fails here
    Child.
-endif.
