%% Whoever no longer waits for an answer may get it all the same: it is then taken for the answer to the
%% next question.
-module(late_reply).
-export([run/0]).

-spec run() -> ok.
run() ->
    Server = spawn(fun echo/0),
    case ask(Server, 1, 1) of
        1 -> ok;
        timeout -> ok
    end,
    2 = ask(Server, 2, infinity), % fails here
    ok.

-ifdef(REPAIRED).
ask(Server, Question, Time) ->
    Reference = make_ref(),
    Server ! {self(), Reference, Question},
    receive {Reference, Answer} -> Answer
    after Time -> timeout
    end.
-else.
ask(Server, Question, Time) ->
    Server ! {self(), reply, Question},
    receive {reply, Answer} -> Answer
    after Time -> timeout
    end.
-endif.

echo() ->
    receive {From, Reference, Question} -> From ! {Reference, Question} end,
    echo().
