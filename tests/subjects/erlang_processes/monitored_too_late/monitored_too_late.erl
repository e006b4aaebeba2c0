%% A process may have ended before it is monitored; why it ended is then not known any more. 2 executions:
%% it ends before or after the call of `monitor`.
-module(monitored_too_late).
-export([run/0]).

-spec run() -> finished | unknown.
run() ->
    {Pid, Monitor} = started(),
    receive
        {'DOWN', Monitor, process, Pid, Reason} -> ended(Reason)
    end.

started() ->
    Pid = spawn(fun() -> exit(finished) end),
    {Pid, monitor(process, Pid)}.

-ifdef(REPAIRED).
ended(finished) -> finished;
ended(noproc) -> unknown.
-else.
ended(Reason) ->
    case Reason of % fails here
        finished -> finished
    end.
-endif.
