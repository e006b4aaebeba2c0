#!/usr/bin/env escript
%% What instrumentation costs: `escript overhead.escript [EBIN]` prints the ratio for recursive work.
%%! +S 1:1 +hms 2000000

main(_) ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    Ebin = filename:join(os:getenv("TMPDIR", "/tmp"), "elsewise-overhead-" ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Ebin, "x")),
    [{ok, _} = compile:file(F, [debug_info, {outdir, Ebin}])
     || F <- filelib:wildcard(filename:join([Here, "..", "*.erl"]))],
    code:add_patha(Ebin),
    File = list_to_binary(filename:join([Here, "subjects", "work.erl"])),
    Work = [{nrev, 90}, {fib, 27}, {msort, 30000}, {queens, 8}, {tree, 30000}, {maps, 100000}],
    {loaded, _, _, _} = elsewise_load:load(#{files => [File], instrument => false}),
    Plain = [best(W) || W <- Work],
    {loaded, _, _, _} = elsewise_load:load(#{files => [File]}),
    Instrumented = [best(W) || W <- Work],
    [io:format("~-8s plain ~8.2f ms  instrumented ~8.2f ms  ~5.2fx  ~w bytes of events~n",
               [F, P / 1000, I / 1000, I / P, Bytes])
     || {{F, _}, {P, _}, {I, Bytes}} <- lists:zip3(Work, Plain, Instrumented)],
    [file:delete(F) || F <- filelib:wildcard(filename:join(Ebin, "*"))],
    file:del_dir(Ebin).

%% The processor's time for one run, over as many as take a third of a second: the clock on the wall
%% also counts whatever else the machine does.
best(Work) ->
    lists:min([measured(Work, 0, 0) || _ <- lists:seq(1, 7)]).

measured({F, N} = Work, Runs, Used) when Used < 300 ->
    {Before, _} = statistics(runtime),
    Many = if Used > 30 orelse Runs =:= 0 -> 1; true -> Runs end,
    [Events | _] = [run(F, N) || _ <- lists:seq(1, Many)],
    {After, _} = statistics(runtime),
    put(events, Events),
    measured(Work, Runs + Many, Used + After - Before);
measured(_, Runs, Used) ->
    {1000 * Used / Runs, get(events)}.

run(F, N) ->
    {ran, {ok, _}, _, Events, _} =
        elsewise_server:run(work, F, [N], #{timeout => 60000, memory => 4000000000}),
    size(Events).
