#!/usr/bin/env escript
%% Runs the tests in Erlang: `escript run.escript [TEST…]`, all of them without a name.
%%! +S 1:1

main(Names) ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    Ebin = filename:join(os:getenv("TMPDIR", "/tmp"), "elsewise-beam-" ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Ebin, "x")),
    try
        Options = [debug_info, report, warnings_as_errors, {outdir, Ebin}],
        Files = filelib:wildcard(filename:join([Here, "..", "*.erl"])),
        Tests = filelib:wildcard(filename:join(Here, "test_*.erl")),
        All = [filename:basename(T, ".erl") || T <- Tests],
        Wanted = case Names of
                     [] -> All;
                     _ -> ["test_" ++ N || N <- Names]
                 end,
        Helpers = [filename:join(Here, "workload.erl") || lists:member("test_kept", Wanted)],
        [{ok, _} = compile:file(File, Options)
         || File <- Files ++ Helpers ++ [filename:join(Here, T ++ ".erl") || T <- Wanted]],
        code:add_patha(Ebin),
        Results = [run(list_to_atom(T), filename:join(Here, "subjects")) || T <- Wanted],
        lists:all(fun(R) -> R =:= ok end, Results) orelse fail()
    after
        [file:delete(F) || F <- filelib:wildcard(filename:join(Ebin, "*"))],
        file:del_dir(Ebin)
    end.

fail() -> erlang:halt(1).

%% A test gives the number of things that it compared, and the differences that it found. Each
%% runs in a process of its own: what the helper keeps, it keeps in the process that loads.
run(Test, Subjects) ->
    {_, Monitor} = spawn_monitor(fun() -> exit({done, Test:main(Subjects)}) end),
    receive
        {'DOWN', Monitor, process, _, {done, {Count, []}}} when Count > 0 ->
            io:format("~s: ~w compared, all equal~n", [Test, Count]);
        {'DOWN', Monitor, process, _, {done, {Count, Differences}}} ->
            io:format("~s: ~w compared, ~w differ~n", [Test, Count, length(Differences)]),
            [io:format("  ~tP~n", [D, 60]) || D <- lists:sublist(Differences, 20)],
            failed;
        {'DOWN', Monitor, process, _, Reason} ->
            io:format("~s: ended with ~tP~n", [Test, Reason, 80]),
            failed
    end.
