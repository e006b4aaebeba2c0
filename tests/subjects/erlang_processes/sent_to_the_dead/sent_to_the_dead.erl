%% A process handles one message and ends; a question that comes second is sent to nobody, and waits for its
%% answer for ever. Two messages in one mailbox: 2 orders.
-module(sent_to_the_dead).
-export([run/0]).

-spec run() -> answer.
run() ->
    Server = spawn(fun serve/0),
    spawn(fun() -> Server ! note end),
    Server ! {question, self()},
    receive answer -> answer end.

-ifdef(REPAIRED).
serve() ->
    receive
        {question, From} -> From ! answer;
        note -> serve()
    end.
-else.
serve() ->
    receive
        {question, From} -> From ! answer;
        note -> ok
    end.
-endif.
