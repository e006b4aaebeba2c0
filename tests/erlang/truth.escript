#!/usr/bin/env escript
%%! -pa . +S 1:1
%%% Checks what is expected of the subjects of Erlang and Elixir, on the plain modules: the witness fails in the
%%% bug as said and where it is marked, and not in the twin, which does not fail on many small inputs
%%% either. Those with processes are run in all orders of messages instead.
%%% `truth.escript [FILE...]`; without files, all subjects.
-mode(compile).

-define(SMALL, 4000).
%% Milliseconds for calls that end, on a machine that is busy with other things.
-define(PATIENCE, 60000).
-define(RUNS, 200).
-define(ORDERS, 20000).

main(Args) ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    [helper(Here, Module) || Module <- [truth_expected, truth_types, truth_runs, truth_orders, truth_stress]],
    Files = case Args of
        [] -> lists:append([subjects(filename:join([Here, "..", "subjects", Group]))
            || Group <- ["erlang", "erlang_cuter", "erlang_processes"]]);
        _ -> [filename:absname(File) || File <- Args]
    end,
    logger:set_primary_config(level, none),
    Elixir = [File || File <- Files, filename:extension(File) =:= ".ex"],
    Beams = elixir(Elixir),
    Wrong = lists:append([checked(File, Beams) || File <- Files]),
    [io:format("~ts~n", [Line]) || Line <- Wrong],
    io:format("~b subjects, ~b wrong~n", [length(Files), length(Wrong)]),
    halt(case Wrong of [] -> 0; _ -> 1 end).

helper(Here, Module) ->
    {ok, Module, Code} = compile:file(filename:join([Here, "truth", Module]), [binary, report]),
    {module, Module} = code:load_binary(Module, atom_to_list(Module), Code).

subjects(Folder) ->
    Files = filelib:wildcard(filename:join([Folder, "*", "*.{erl,ex}"])),
    [File || File <- lists:sort(Files), not is_twin(File)].

is_twin(File) -> filename:extension(filename:rootname(File)) =:= ".fixed".

checked(File, Beams) ->
    Check = case filename:basename(filename:dirname(filename:dirname(File))) of
        "erlang_processes" -> fun check_processes/2;
        _ -> fun check/2
    end,
    try Check(File, Beams) of
        Wrong -> [[filename:basename(File), ": ", Line] || Line <- Wrong]
    catch
        throw:{wrong, Line} -> [Line]
    end.

check(File, Beams) ->
    #{kind := Kind, entry := Entry, lines := Lines} = Subject = truth_expected:read(File),
    Also = [Kind | maps:get(also, Subject, [])],
    Expected = fun(Outcome, Module) ->
        Place = truth_runs:place(Outcome, Module),
        lists:member(truth_runs:kind(Outcome), Also)
            andalso (Place =:= none orelse lists:member(Place, Lines))
    end,
    {Module, Function} = load(File, bug, Entry, Beams),
    Bug = witness(Subject, Module, Function, case Kind of "hang" -> 1000; _ -> ?PATIENCE end),
    First = [["the witness gives ", show(Bug), " at line ", show(truth_runs:place(Bug, Module))]
        || truth_runs:kind(Bug) =/= Kind orelse not Expected(Bug, Module)],
    {_, BugInputs} = small(Function, Module, 200),
    Trivial = [["the plainest input ", show(hd(BugInputs)), " fails"]
        || truth_runs:kind(outcome(Module, Function, hd(BugInputs))) =/= none],
    Other = case lists:member(Kind, ["hang", "memory"]) of
        true -> [];
        false -> failing(Module, Function, fun(Outcome) -> Expected(Outcome, Module) end)
    end,
    {Module, Function} = load(File, twin, Entry, Beams),
    Twin = witness(Subject, Module, Function, ?PATIENCE),
    Second = [["the twin gives ", show(Twin), " for the witness"] || truth_runs:kind(Twin) =/= none],
    Third = failing(Module, Function, fun(_) -> false end),
    First ++ Trivial ++ [["the bug as well: ", Line] || Line <- Other] ++ Second
        ++ [["the twin: ", Line] || Line <- Third].

%% A bug must show in some order of messages, as said and nowhere else, and nothing in any order of its twin.
check_processes(File, _) ->
    #{kind := Kind, lines := Lines} = Subject = truth_expected:read(File),
    Kinds = [seen(Known) || Known <- [Kind | maps:get(also, Subject, [])]],
    Good = fun({Outcome, Place}) ->
        lists:member(truth_runs:kind(Outcome), [none | Kinds])
            andalso (Place =:= none orelse lists:member(Place, Lines))
    end,
    {Bug, Executions} = all_orders(Subject, [], ?RUNS),
    Bad = [["a run gives ", show(Other)] || Other <- Bug, not Good(Other)],
    Shown = lists:any(fun({Outcome, _}) -> truth_runs:kind(Outcome) =/= none end, Bug),
    {Twin, _} = all_orders(Subject, [{d, 'REPAIRED'}], ?RUNS div 2),
    Failed = [Outcome || {Outcome, _} <- Twin, truth_runs:kind(Outcome) =/= none],
    lists:sublist(Bad, 3) ++ ["no run fails" || not Shown]
        ++ [[show(Executions), " executions"] || Executions =/= maps:get(executions, Subject, Executions)]
        ++ [["the twin gives ", show(Outcome)] || Outcome <- lists:sublist(Failed, 3)].

%% What nobody can tell from outside is a deadlock.
seen("lost message") -> "deadlock";
seen(Kind) -> Kind.

%% Outcomes of all orders of messages, and how many there are. What a gen_server does inside is not ours to
%% put in order: there it is outcomes of many runs by chance.
all_orders(#{file := File} = Subject, Options, Runs) ->
    {ok, Text} = file:read_file(File),
    case string:find(Text, "-behaviour(gen_server)") of
        nomatch ->
            {Module, Forms, Ends} = truth_orders:load(File, Options),
            Typed = typed(Subject, Forms),
            case truth_orders:explore({call(".erl", maps:get(witness, Subject), Module), Ends}, ?ORDERS) of
                {all, Seen} ->
                    Outcomes = [Typed(Outcome) || Outcome <- maps:values(Seen)],
                    {[{Outcome, truth_runs:place(Outcome, Module)} || Outcome <- Outcomes], map_size(Seen)};
                {cut, _} ->
                    throw({wrong, [File, ": too many orders"]})
            end;
        _ ->
            {stressed(Subject, Options, Runs), none}
    end.

%% A result that is not of the type that the spec says is an outcome of its own.
typed(#{entry := Entry}, Forms) ->
    Env = truth_types:environment(Forms),
    [Name, Arity] = string:split(Entry, "/"),
    {_, _, Result} = truth_types:spec({list_to_atom(Name), list_to_integer(Arity)}, Env),
    fun({ok, Value} = Outcome) ->
            case truth_types:member(Value, Result, Env) of
                true -> Outcome;
                false -> {spec, Value}
            end;
       (Outcome) -> Outcome
    end.

%% Distinct outcomes of many runs, with the line where they failed.
stressed(#{file := File} = Subject, Options, Runs) ->
    {Module, Forms} = truth_stress:load(File, Options),
    stressed(call(".erl", maps:get(witness, Subject), Module), Module, typed(Subject, Forms), Runs, #{}).

stressed(_, _, _, 0, Seen) -> maps:values(Seen);
stressed(Call, Module, Typed, Runs, Seen) ->
    Outcome = Typed(truth_stress:outcome(Call)),
    %% Waiting costs a second or so: seen a few times is enough.
    Left = case Outcome of waits -> max(0, Runs - 50); _ -> Runs - 1 end,
    Seen1 = Seen#{truth_orders:plain(Outcome) => {Outcome, truth_runs:place(Outcome, Module)}},
    stressed(Call, Module, Typed, Left, Seen1).

%% The bug or its twin, with debug information for its types; the entry's module, name and arity.
load(File, Which, Entry, Beams) ->
    {Module, Binary} = case filename:extension(File) of
        ".erl" -> compiled(File, [{d, 'REPAIRED'} || Which =:= twin]);
        ".ex" -> elixir_beam(Which, Entry, Beams)
    end,
    code:purge(Module),
    {module, Module} = code:load_binary(Module, File, Binary),
    put({environment, Module}, truth_types:environment(abstract(Module, Binary))),
    [Name, Arity] = string:split(Entry, "/", trailing),
    Last = lists:last(string:split(Name, ".", all)),
    {Module, {list_to_atom(Last), list_to_integer(Arity)}}.

compiled(File, Options) ->
    case compile:file(File, [binary, debug_info, return, warnings_as_errors | Options]) of
        {ok, Module, Binary, []} -> {Module, Binary};
        {error, Errors, Warnings} -> throw({wrong, [File, ": ", show(Errors ++ Warnings)]})
    end.

abstract(Module, Binary) ->
    {ok, {_, [{debug_info, {debug_info_v1, Backend, Data}}]}} = beam_lib:chunks(Binary, [debug_info]),
    {ok, Forms} = Backend:debug_info(erlang_v1, Module, Data, []),
    Forms.

%% Elixir's files compiled, all bugs together and all twins: where their beams are.
elixir([]) -> none;
elixir(Files) ->
    Lib = string:trim(os:cmd("elixir -e 'IO.write(:code.lib_dir(:elixir))'")),
    true = code:add_patha(filename:join(Lib, "ebin")),
    {ok, _} = application:ensure_all_started(elixir),
    Folder = string:trim(os:cmd("mktemp -d")),
    Twins = [filename:rootname(File) ++ ".fixed.ex" || File <- Files],
    Made = [begin
        To = filename:join(Folder, Name),
        ok = file:make_dir(To),
        Words = lists:join(" ", ["elixirc --warnings-as-errors -o", To | Sources]),
        {To, os:cmd(lists:append(Words) ++ " && echo made")}
    end || {Name, Sources} <- [{"bug", Files}, {"twin", Twins}]],
    [io:format("~ts", [Said]) || {_, Said} <- Made, Said =/= "made\n"],
    [{Bugs, _}, {Repaired, _}] = Made,
    #{bug => Bugs, twin => Repaired}.

elixir_beam(Which, Entry, Beams) ->
    [Path, _] = string:split(Entry, ".", trailing),
    Module = list_to_atom("Elixir." ++ Path),
    Beam = filename:join(map_get(Which, Beams), atom_to_list(Module) ++ ".beam"),
    case file:read_file(Beam) of
        {ok, Binary} -> {Module, Binary};
        {error, _} -> throw({wrong, [Entry, ": not compiled"]})
    end.

witness(#{witness := Witness, file := File}, Module, Function, Limit) ->
    judged(truth_runs:run(call(filename:extension(File), Witness, Module), Limit), Module, Function).

call(".ex", Witness, _) ->
    fun() -> element(1, 'Elixir.Code':eval_string(list_to_binary(Witness))) end;
call(".erl", Witness, Module) ->
    {ok, Tokens, _} = erl_scan:string(Witness ++ "."),
    {ok, [{call, _, {atom, _, Name}, Args}]} = erl_parse:parse_exprs(Tokens),
    {Values, _} = lists:mapfoldl(
        fun(Arg, Bound) -> {value, Value, More} = erl_eval:expr(Arg, Bound), {Value, More} end, [], Args),
    fun() -> apply(Module, Name, Values) end.

outcome(Module, {Name, _} = Function, Args) ->
    judged(truth_runs:run(fun() -> apply(Module, Name, Args) end, ?PATIENCE), Module, Function).

%% A result that is not of the type that the spec says is an outcome of its own; and without a spec, a
%% function that does not want its arguments has not failed.
judged({ok, Value} = Outcome, Module, Function) ->
    Env = get({environment, Module}),
    {_, _, Result} = truth_types:spec(Function, Env),
    case truth_types:member(Value, Result, Env) of
        true -> Outcome;
        false -> {spec, Value}
    end;
judged({exception, error, function_clause, [{Module, Name, Args, _} | _]} = Outcome, Module, {Name, Arity})
        when length(Args) =:= Arity ->
    case truth_types:spec({Name, Arity}, get({environment, Module})) of
        {none, _, _} -> {ok, refused};
        _ -> Outcome
    end;
judged(Outcome, _, _) ->
    Outcome.

%% All combinations of small arguments if they are few, else as many of them by chance.
small(Function, Module, Each) ->
    Env = get({environment, Module}),
    {Said, Types, _} = truth_types:spec(Function, Env),
    Values = [truth_types:values(Type, Each, Env) || Type <- Types],
    [throw({wrong, [show(Function), ": no values of ", show(Type)]})
        || {Type, []} <- lists:zip(Types, Values)],
    Plainest = [hd(V) || V <- Values],
    rand:seed(exsss, {1, 2, 3}),
    Tuples = [list_to_tuple(V) || V <- Values],
    All = lists:foldl(fun(V, Product) -> Product * length(V) end, 1, Values),
    Inputs = case All =< ?SMALL of
        true -> combinations(Values);
        false -> [[element(rand:uniform(tuple_size(V)), V) || V <- Tuples] || _ <- lists:seq(1, ?SMALL)]
    end,
    {Said, [Plainest | Inputs]}.

combinations([]) -> [[]];
combinations([Values | Rest]) ->
    Tails = combinations(Rest),
    [[Value | Tail] || Value <- Values, Tail <- Tails].

%% Small inputs that end otherwise than well or as expected: at most three of them.
failing(Module, Function, Expected) ->
    {_, Inputs} = small(Function, Module, 1000),
    failing(Inputs, Module, Function, Expected, 3).

failing([], _, _, _, _) -> [];
failing(_, _, _, _, 0) -> [];
failing([Args | Rest], Module, Function, Expected, Left) ->
    Outcome = outcome(Module, Function, Args),
    case truth_runs:kind(Outcome) =:= none orelse Expected(Outcome) of
        true -> failing(Rest, Module, Function, Expected, Left);
        false -> [[show(Args), " gives ", show(Outcome)] | failing(Rest, Module, Function, Expected, Left - 1)]
    end.

show(Term) -> io_lib:format("~0tP", [Term, 40]).
