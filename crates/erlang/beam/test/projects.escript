#!/usr/bin/env escript
%% Test suites of rebar3 projects, on their plain and on their instrumented modules.
%%
%%     escript projects.escript WORK NAME=SOURCE[,DEPENDENCY=SOURCE…] …
%%
%% Each project is copied to a folder of its name in WORK and built there by rebar3, its
%% dependencies as checkouts, so that nothing is fetched. Its EUnit suites then run twice, each time in
%% a machine of its own, and every test must end the same way, in one of three rounds.
%%! +S 1:1

-define(ROUNDS, 3).

main([Work | Projects]) when Projects =/= [] ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    Ebin = filename:join(Work, "helper"),
    ok = filelib:ensure_dir(filename:join(Ebin, "x")),
    [{ok, _} = compile:file(File, [debug_info, {outdir, Ebin}])
     || File <- filelib:wildcard(filename:join([Here, "..", "*.erl"]))
            ++ [filename:join(Here, "listener.erl")]],
    code:add_patha(Ebin),
    Results = [project(Work, P) || P <- Projects],
    lists:all(fun(R) -> R end, Results) orelse halt(1);
main(_) ->
    io:format("usage: projects.escript WORK NAME=SOURCE[,DEPENDENCY=SOURCE...] ...~n"),
    halt(1).

project(Work, Spec) ->
    [{Name, Source} | Dependencies] = [list_to_tuple(string:split(Part, "="))
                                       || Part <- string:split(Spec, ",", all)],
    Folder = filename:join(Work, Name),
    copy(Source, Folder),
    [copy(From, filename:join([Folder, "_checkouts", Dependency])) || {Dependency, From} <- Dependencies],
    %% The profile `test` has the macro TEST and debug information. The suites in a folder of their
    %% own are compiled here: `rebar3 eunit` would run them at once.
    Log = os:cmd("cd " ++ quoted(Folder) ++ " && rebar3 as test compile 2>&1 < /dev/null"),
    Root = filename:join([Folder, "_build", "test"]),
    code:add_pathsa(filelib:wildcard(filename:join([Root, "*", "*", "ebin"]))),
    Beams = filelib:wildcard(filename:join([Root, "lib", Name, "ebin", "*.beam"])),
    Tests = [compiled(File, Folder, Root) || File <- filelib:wildcard(filename:join([Folder, "test", "*.erl"]))],
    code:add_patha(Root),
    case Beams of
        [] -> io:format("~s: not built~n~s~n", [Name, Log]), false;
        _ -> compared(Name, Folder, Beams, Tests)
    end.

compiled(File, Folder, Root) ->
    Options = [{outdir, Root}, {d, 'TEST'}, {i, filename:join(Folder, "include")}, debug_info, report_errors],
    {ok, Module} = compile:file(File, Options),
    filename:join(Root, atom_to_list(Module) ++ ".beam").

copy(From, To) ->
    ok = filelib:ensure_dir(filename:join(To, "x")),
    os:cmd("cp -r " ++ quoted(From) ++ "/. " ++ quoted(To)).

quoted(Text) -> "'" ++ Text ++ "'".

%% Who asks EUnit for the tests of `x` gets those of `x_tests`, too.
with_its_module(Suite, Modules) ->
    lists:any(fun(M) -> atom_to_list(Suite) =:= atom_to_list(M) ++ "_tests" end, Modules).

compared(Name, Folder, Beams, Tests) ->
    Modules = [list_to_atom(filename:basename(B, ".beam")) || B <- Beams],
    Suites = Modules ++ [T || B <- Tests, T <- [list_to_atom(filename:basename(B, ".beam"))],
                              not with_its_module(T, Modules)],
    case rounds(?ROUNDS, fun() -> round(Folder, Beams, Suites) end) of
        {error, Text} ->
            io:format("~s: ~ts~n", [Name, Text]),
            false;
        {Plain, Differences} ->
            Passed = length([T || {_, _, _, ok} = T <- Plain]),
            io:format("~s: ~w modules, ~w tests (~w passed plain), ~w differ~n",
                      [Name, length(Modules), length(Plain), Passed, length(Differences)]),
            [io:format("  ~tp~n", [D]) || D <- Differences],
            Differences =:= [] andalso Passed > 0
    end.

round(Folder, Beams, Suites) ->
    Plain = elsewhere(Folder, results, [Suites]),
    case elsewhere(Folder, instrumented, [Beams, Suites]) of
        {error, _} = Error -> Error;
        Instrumented -> {Plain, (Plain -- Instrumented) ++ (Instrumented -- Plain)}
    end.

%% A test of goldrush asks that ten milliseconds of sleep take less than fifteen, which a busy machine
%% does not promise: one round in which all ends the same is enough.
rounds(N, Round) ->
    case Round() of
        {_, [_ | _]} when N > 1 -> rounds(N - 1, Round);
        Result -> Result
    end.

%% In a machine of its own, since a suite may leave things behind that it finds the second time.
elsewhere(Folder, Function, Arguments) ->
    Paths = lists:append([["-pa", P] || P <- code:get_path(), filelib:is_dir(P)]),
    {ok, Peer, _} = peer:start(#{connection => standard_io, args => ["+S", "1:1" | Paths]}),
    %% Suites let processes crash on purpose; how each test ends is what is looked at.
    ok = peer:call(Peer, logger, set_primary_config, [level, none]),
    ok = peer:call(Peer, file, set_cwd, [Folder]),
    Results = peer:call(Peer, listener, Function, Arguments, 600000),
    peer:stop(Peer),
    Results.
