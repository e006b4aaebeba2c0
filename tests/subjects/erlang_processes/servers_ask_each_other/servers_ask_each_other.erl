%% Each of two servers asks the other one before it answers; if both have been asked, neither answers.
-module(servers_ask_each_other).
-export([run/0]).

-spec run() -> [non_neg_integer()].
run() ->
    Self = self(),
    Shop = spawn(fun() -> receive {partner, Pid} -> serve(1, Pid) end end),
    Store = spawn(fun() -> serve(2, Shop) end),
    Shop ! {partner, Store},
    spawn(fun() -> Self ! {total, call(Store, total)} end),
    Mine = call(Shop, total),
    receive {total, Other} -> [Mine, Other] end.

serve(Own, Partner) ->
    receive
        {From, Reference, own} -> From ! {Reference, Own};
        {From, Reference, total} -> total(From, Reference, Own, Partner)
    end,
    serve(Own, Partner).

-ifdef(REPAIRED).
%% A process of its own asks the partner, so that the server goes on answering.
total(From, Reference, Own, Partner) ->
    spawn(fun() -> From ! {Reference, Own + call(Partner, own)} end).
-else.
total(From, Reference, Own, Partner) ->
    From ! {Reference, Own + call(Partner, own)}.
-endif.

call(Server, Question) ->
    Reference = make_ref(),
    Server ! {self(), Reference, Question},
    receive {Reference, Answer} -> Answer end.
