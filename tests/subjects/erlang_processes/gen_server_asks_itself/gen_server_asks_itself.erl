%% A gen_server calls itself from one of its callbacks.
-module(gen_server_asks_itself).
-behaviour(gen_server).
-export([run/1, init/1, handle_call/3, handle_cast/2]).

-spec run(count | total) -> integer().
run(Question) ->
    {ok, Server} = gen_server:start(?MODULE, [3, 4], []),
    try gen_server:call(Server, Question) % fails here
    after exit(Server, kill)
    end.

init(Numbers) -> {ok, Numbers}.

handle_call(count, _, Numbers) ->
    {reply, length(Numbers), Numbers};
handle_call(total, _, Numbers) ->
    {reply, count(Numbers) + lists:sum(Numbers), Numbers}.

handle_cast(_, Numbers) -> {noreply, Numbers}.

-ifdef(REPAIRED).
count(Numbers) -> length(Numbers).
-else.
count(_) -> gen_server:call(self(), count). % or here
-endif.
