%% Answers are numbered in the order of the questions; who takes for granted to have been the first waits
%% for number one, while number two lies in its mailbox. Two questions in one mailbox: 2 orders.
-module(number_of_another).
-export([run/0]).

-spec run() -> 1 | 2.
run() ->
    Server = spawn(fun() -> serve(1) end),
    spawn(fun() -> Server ! {number, self()} end),
    Server ! {number, self()},
    answer().

-ifdef(REPAIRED).
answer() -> receive {number, N} -> N end.
-else.
answer() -> receive {number, 1} -> 1 end.
-endif.

serve(N) ->
    receive {number, From} -> From ! {number, N} end,
    serve(N + 1).
