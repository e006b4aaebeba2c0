%% A gen_server's callbacks in a row, without a process: a sequence of calls after which there are more
%% seats than before.
-module(seats_given_back_twice).
-behaviour(gen_server).
-export([run/1, init/1, handle_call/3, handle_cast/2]).
-include_lib("stdlib/include/assert.hrl").

-define(SEATS, 3).

-type request() :: reserve | cancel | sell | left.

-spec run([request()]) -> [ok | full | none | 0..?SEATS].
run(Requests) ->
    {ok, State} = init([]),
    {Answers, _} = lists:mapfoldl(fun answer/2, State, Requests),
    Answers.

answer(Request, State) ->
    {reply, Answer, {Free, Reserved, Sold} = After} = handle_call(Request, {self(), make_ref()}, State),
    ?assertEqual(?SEATS, Free + Reserved + Sold), % fails here
    {Answer, After}.

init(_) -> {ok, {?SEATS, 0, 0}}.

-ifdef(REPAIRED).
handle_call(reserve, _, {0, _, _} = State) -> {reply, full, State};
handle_call(reserve, _, {Free, Reserved, Sold}) -> {reply, ok, {Free - 1, Reserved + 1, Sold}};
handle_call(sell, _, {_, 0, _} = State) -> {reply, none, State};
handle_call(sell, _, {Free, Reserved, Sold}) -> {reply, ok, {Free, Reserved - 1, Sold + 1}};
handle_call(cancel, _, {_, 0, _} = State) -> {reply, none, State};
handle_call(cancel, _, {Free, Reserved, Sold}) -> {reply, ok, {Free + 1, Reserved - 1, Sold}};
handle_call(left, _, {Free, _, _} = State) -> {reply, Free, State}.
-else.
handle_call(reserve, _, {0, _, _} = State) -> {reply, full, State};
handle_call(reserve, _, {Free, Reserved, Sold}) -> {reply, ok, {Free - 1, Reserved + 1, Sold}};
handle_call(sell, _, {_, 0, _} = State) -> {reply, none, State};
handle_call(sell, _, {Free, Reserved, Sold}) -> {reply, ok, {Free, Reserved - 1, Sold + 1}};
handle_call(cancel, _, {?SEATS, _, _} = State) -> {reply, none, State};
handle_call(cancel, _, {Free, Reserved, Sold}) -> {reply, ok, {Free + 1, max(0, Reserved - 1), Sold}};
handle_call(left, _, {Free, _, _} = State) -> {reply, Free, State}.
-endif.

handle_cast(_, State) -> {noreply, State}.
