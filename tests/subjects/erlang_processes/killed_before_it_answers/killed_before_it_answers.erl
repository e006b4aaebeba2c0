%% A worker is killed by a third process, before or after it has answered; who waits for the answer is
%% linked to it and gets one message or the other first.
-module(killed_before_it_answers).
-export([run/0]).

-spec run() -> answer | killed.
run() ->
    process_flag(trap_exit, true),
    Self = self(),
    Worker = spawn_link(fun() -> Self ! {answer, self()}, receive stop -> ok end end),
    spawn(fun() -> exit(Worker, kill) end),
    heard(receive Message -> Message end).

-ifdef(REPAIRED).
heard({answer, _}) -> answer;
heard({'EXIT', _, killed}) -> killed.
-else.
heard(Message) ->
    case Message of % fails here
        {answer, _} -> answer
    end.
-endif.
