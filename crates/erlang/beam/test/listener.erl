%% What each test of EUnit suites ended with, for comparing.
-module(listener).
-behaviour(eunit_listener).
-export([results/1, instrumented/2]).
-export([start/0, start/1, init/1, handle_begin/3, handle_end/3, handle_cancel/3, terminate/2]).

%% Sorted `{Source, Line, Description, Status}`; a failure counts by its class and reason's kind.
results(Suites) ->
    eunit:test(Suites, [no_tty, {report, {?MODULE, [{to, self()}]}}]),
    receive {?MODULE, Results} -> lists:sort(Results) end.

%% The same, with these files of compiled modules instrumented; or why they cannot be.
instrumented(Beams, Suites) ->
    %% In a process of its own, since the helper keeps what it has loaded in the one that loads.
    Self = self(),
    spawn(fun() -> Self ! {loaded, elsewise_load:load(#{files => [list_to_binary(B) || B <- Beams]})} end),
    receive
        {loaded, {loaded, Modules, _, _}} when length(Modules) >= length(Beams) -> results(Suites);
        {loaded, {error, _} = Error} -> Error
    end.

start() -> start([]).
start(Options) -> eunit_listener:start(?MODULE, Options).

init(Options) ->
    receive {start, _} -> ok end,
    {proplists:get_value(to, Options), []}.

handle_begin(_, _, State) -> State.

handle_end(test, Data, {To, Results}) -> {To, [result(Data, proplists:get_value(status, Data)) | Results]};
handle_end(_, _, State) -> State.

handle_cancel(_, Data, {To, Results}) -> {To, [result(Data, cancelled) | Results]}.

terminate(_, {To, Results}) -> To ! {?MODULE, Results}.

result(Data, Status) ->
    {proplists:get_value(source, Data), proplists:get_value(line, Data), proplists:get_value(desc, Data),
     status(Status)}.

status({error, {Class, Reason, _Stack}}) -> {failed, Class, kind(Reason)};
status({skipped, _}) -> skipped;
status(Other) -> Other.

kind(Reason) when is_tuple(Reason), tuple_size(Reason) > 0 -> element(1, Reason);
kind(Reason) -> Reason.
