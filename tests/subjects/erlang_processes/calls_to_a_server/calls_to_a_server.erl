%% A gen_server that is started and called: a sequence of calls that its state was not made for.
-module(calls_to_a_server).
-behaviour(gen_server).
-export([run/1, init/1, handle_call/3, handle_cast/2]).

-type request() :: lock | unlock | {write, integer()} | read.

-spec run([request()]) -> [ok | refused | integer()].
run(Requests) ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    try [gen_server:call(Server, Request) || Request <- Requests] % or here
    after exit(Server, kill)
    end.

init(_) -> {ok, {unlocked, 0}}.

handle_call(Request, _, State) ->
    {Answer, After} = answer(Request, State),
    {reply, Answer, After}.

handle_cast(_, State) -> {noreply, State}.

-ifdef(REPAIRED).
answer(Request, {Lock, Value}) ->
    case {Request, Lock} of
        {read, _} -> {Value, {Lock, Value}};
        {{write, New}, locked} -> {ok, {dirty, New}};
        {{write, New}, dirty} -> {ok, {dirty, New}};
        {{write, _}, unlocked} -> {refused, {unlocked, Value}};
        {lock, unlocked} -> {ok, {locked, Value}};
        {lock, dirty} -> {refused, {dirty, Value}};
        {lock, locked} -> {refused, {locked, Value}};
        {unlock, _} -> {ok, {unlocked, Value}}
    end.
-else.
answer(Request, {Lock, Value}) ->
    case {Request, Lock} of % fails here
        {read, _} -> {Value, {Lock, Value}};
        {{write, New}, locked} -> {ok, {dirty, New}};
        {{write, New}, dirty} -> {ok, {dirty, New}};
        {{write, _}, unlocked} -> {refused, {unlocked, Value}};
        {lock, unlocked} -> {ok, {locked, Value}};
        {lock, locked} -> {refused, {locked, Value}};
        {unlock, _} -> {ok, {unlocked, Value}}
    end.
-endif.
