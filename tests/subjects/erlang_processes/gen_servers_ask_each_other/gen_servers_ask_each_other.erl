%% Two gen_servers: who is asked for two levels asks the partner, which asks back while it is being waited for.
-module(gen_servers_ask_each_other).
-behaviour(gen_server).
-export([run/1, init/1, handle_call/3, handle_cast/2]).

-spec run(0..2) -> 0..3.
run(Levels) ->
    {ok, Left} = gen_server:start(?MODULE, none, []),
    {ok, Right} = gen_server:start(?MODULE, Left, []),
    gen_server:cast(Left, {partner, Right}),
    Answer = gen_server:call(Left, {ask, Levels}, infinity),
    [exit(Server, kill) || Server <- [Left, Right]],
    Answer.

init(Partner) -> {ok, Partner}.

-ifdef(REPAIRED).
handle_call({ask, Levels}, From, Partner) when Levels > 0 ->
    spawn(fun() ->
        gen_server:reply(From, 1 + gen_server:call(Partner, {ask, Levels - 1}, infinity))
    end),
    {noreply, Partner};
handle_call({ask, 0}, _, Partner) ->
    {reply, 1, Partner}.
-else.
handle_call({ask, Levels}, _, Partner) when Levels > 0 ->
    {reply, 1 + gen_server:call(Partner, {ask, Levels - 1}, infinity), Partner};
handle_call({ask, 0}, _, Partner) ->
    {reply, 1, Partner}.
-endif.

handle_cast({partner, Partner}, _) -> {noreply, Partner}.
