%% Loading: which modules a subject needs instrumented, and where its calls go.
-module(elsewise_load).
-export([load/1, plain/1, enter/1]).

%% What has been loaded into this VM: the table of functions (see elsewise_rt), the instrumented
%% modules, the Core of modules that were looked at, and how many copies of each there are.
-record(state, {functions = #{}, modules = #{}, cores = #{}, copies = #{}}).

-spec load(map()) -> {loaded, [tuple()], [tuple()], [mfa()]} | {error, binary()}.
load(Options) ->
    [code:add_pathz(text(P)) || P <- maps:get(paths, Options, [])],
    State = state(),
    elsewise_cell:faster(),
    try
        Subjects = [core(F, Options) || F <- maps:get(files, Options, [])],
        {IRs, State1} = instrument(Subjects, State),
        put(elsewise_state, State1),
        #state{functions = Functions, modules = Modules} = State1,
        elsewise_rt:set_table(Functions, Modules),
        Redirects = [{{M, F, A}, {M2, F2, A}}
                     || {{M, F, A}, {M2, F2}} <- lists:sort(maps:to_list(Functions))],
        {loaded, IRs, Redirects, elsewise_bifs:primitives()}
    catch
        throw:{elsewise, Text} -> {error, Text};
        error:{elsewise, Text} -> {error, unicode:characters_to_binary(Text)}
    end.

state() ->
    case get(elsewise_state) of
        undefined ->
            #state{functions = maps:from_keys(elsewise_bifs:primitives(), primitive)};
        State ->
            State
    end.

core(File, Options) ->
    case elsewise_core:file(File, Options) of
        {ok, Module, Core} -> {File, Module, Core};
        {error, Text} -> throw({elsewise, Text})
    end.

%% The modules as they are, compiled for the plain VM: the compiler is needed here anyway, and there it
%% would be loaded for these alone. Asked for before any of them is loaded, which may be one that the
%% compiler uses.
-spec plain(map()) -> {compiled, [{module(), binary(), binary()}]} | {error, binary()}.
plain(Options) ->
    [code:add_pathz(text(P)) || P <- maps:get(paths, Options, [])],
    try
        {compiled, [case elsewise_core:plain(File, Options) of
                        {ok, Module, Binary} -> {Module, File, Binary};
                        {error, Text} -> throw({elsewise, Text})
                    end
                    || File <- maps:get(files, Options, [])]}
    catch
        throw:{elsewise, Text} -> {error, Text}
    end.

%% In the plain VM.
-spec enter([{module(), binary(), binary()}]) -> entered | {error, binary()}.
enter(Modules) ->
    try
        [enter(Module, Binary, text(File)) || {Module, File, Binary} <- Modules],
        State = state(),
        put(elsewise_state, State),
        elsewise_rt:set_table(State#state.functions, State#state.modules),
        entered
    catch
        throw:{elsewise, Text} -> {error, Text}
    end.

instrument(Subjects, State0) ->
    Modules = lists:foldl(fun({_, M, _}, Ms) -> Ms#{M => true} end, State0#state.modules, Subjects),
    State1 = State0#state{modules = Modules},
    Wanted = lists:usort([{M, F, A} || {_, _, Core} <- Subjects,
                                       Refs <- maps:values(elsewise_instrument:references(Core)),
                                       {remote, M, F, A} <- Refs]),
    {Parts, State2} = needed(Wanted, #{}, State1),
    {Copies, State3} = lists:mapfoldl(fun name_copy/2, State2, maps:to_list(Parts)),
    Decide = fun(Mfa) -> decide(Mfa, State3) end,
    Subject = [instrumented(Core, #{decide => Decide}, text(File)) || {File, _, Core} <- Subjects],
    Copied = [begin
                  How = #{decide => Decide, target => Target, hidden => true, keep => Keep,
                          bifs => bifs(M)},
                  instrumented(maps:get(M, State3#state.cores), How, atom_to_list(Target))
              end
              || {M, Target, Keep} <- Copies],
    {Subject ++ Copied, State3}.

instrumented(Core, How, File) ->
    {Code, IR} = elsewise_instrument:module(Core, How),
    case compile:noenv_forms(Code, [from_core, binary, return_errors, return_warnings]) of
        {ok, Module, Binary, _} ->
            enter(Module, Binary, File),
            IR;
        {error, Errors, _} ->
            Name = cerl:concrete(cerl:module_name(Code)),
            throw({elsewise, unicode:characters_to_binary(
                io_lib:format("~ts: cannot be instrumented: ~tp", [Name, Errors]))})
    end.

enter(Module, Binary, File) ->
    code:unstick_mod(Module),
    code:purge(Module),
    case code:load_binary(Module, File, Binary) of
        {module, Module} -> ok;
        {error, Reason} ->
            throw({elsewise, unicode:characters_to_binary(
                io_lib:format("~ts: cannot be loaded: ~tp", [Module, Reason]))})
    end.

%% The functions of copied modules and models that are reached from those, module by module.
needed([{M, F, A} = Mfa | Rest], Parts, State) ->
    #state{functions = Functions, modules = Modules} = State,
    Known = is_map_key(Mfa, Functions) orelse is_map_key(M, Modules)
        orelse lists:member({F, A}, maps:get(M, Parts, [])),
    case Known of
        true -> needed(Rest, Parts, State);
        false ->
            case home(Mfa, State) of
                {Home, Name, State1} ->
                    {Parts1, More} = reach(Home, [{Name, A}], Parts, State1, []),
                    Target = {pending, Home, Name},
                    Functions1 = (State1#state.functions)#{Mfa => Target},
                    needed(More ++ Rest, Parts1, State1#state{functions = Functions1});
                {no, State1} ->
                    needed(Rest, Parts, State1)
            end
    end;
needed([], Parts, State) ->
    {Parts, State}.

%% Where a function's decisions can be followed: in a model, or in a copy of its module.
home({M, F, A}, State) ->
    Model = list_to_atom(lists:concat([M, ':', F])),
    {Models, State1} = cached(elsewise_models, State),
    case defines(Models, {Model, A}) of
        true -> {elsewise_models, Model, State1};
        false ->
            case elsewise_bifs:copied(M) andalso not erlang:is_builtin(M, F, A) of
                true ->
                    {Core, State2} = cached(M, State1),
                    case defines(Core, {F, A}) of
                        true -> {M, F, State2};
                        false -> {no, State2}
                    end;
                false ->
                    {no, State1}
            end
    end.

cached(M, #state{cores = Cores} = State) ->
    case Cores of
        #{M := Core} ->
            {Core, State};
        _ ->
            Core = case code:which(M) of
                       Beam when is_list(Beam), Beam =/= [] -> of_beam(Beam);
                       _ -> none
                   end,
            {Core, State#state{cores = Cores#{M => Core}}}
    end.

of_beam(Beam) ->
    case elsewise_core:file(Beam, #{}) of
        {ok, _, Core} -> Core;
        {error, _} -> none
    end.

defines(none, _) -> false;
defines(Core, {F, A}) ->
    lists:any(fun(E) -> cerl:var_name(E) =:= {F, A} end, cerl:module_exports(Core)).

reach(M, [Function | Rest], Parts, State, More) ->
    Found = maps:get(M, Parts, []),
    Already = lists:member(Function, Found),
    {F, A} = Function,
    case Already orelse M =/= elsewise_models andalso erlang:is_builtin(M, F, A) of
        true when Already ->
            reach(M, Rest, Parts, State, More);
        true ->
            reach(M, Rest, Parts, State, [{M, F, A} | More]);
        false ->
            References = references(M, State),
            Refs = maps:get(Function, References, []),
            Local = [{LF, LA} || {local, LF, LA} <- Refs, is_map_key({LF, LA}, References)],
            Remote = [{RM, RF, RA} || {remote, RM, RF, RA} <- Refs],
            reach(M, Local ++ Rest, Parts#{M => [Function | Found]}, State, Remote ++ More)
    end;
reach(_, [], Parts, _, More) ->
    {Parts, More}.

references(M, #state{cores = Cores}) ->
    Key = {elsewise_references, M},
    case get(Key) of
        undefined ->
            References = elsewise_instrument:references(maps:get(M, Cores)),
            put(Key, References),
            References;
        References ->
            References
    end.

%% Functions that a later load needs of the same module stand in a second copy, so that the first
%% stays what the engine knows.
name_copy({M, Keep}, #state{copies = Copies, functions = Functions, modules = Modules} = State) ->
    N = maps:get(M, Copies, 0) + 1,
    Base = case M of
               elsewise_models -> "elsewise_models@";
               _ -> "elsewise@" ++ atom_to_list(M)
           end,
    Target = list_to_atom(case N of
                              1 -> Base;
                              _ -> Base ++ "@" ++ integer_to_list(N)
                          end),
    Functions1 = maps:map(fun(_, {pending, Home, Name}) when Home =:= M -> {Target, Name};
                             (_, Other) -> Other
                          end, Functions),
    {{M, Target, Keep},
     State#state{copies = Copies#{M => N}, functions = Functions1,
                 modules = Modules#{Target => true}}}.

bifs(elsewise_models) -> [];
bifs(M) ->
    [{F, A} || {F, A} <- M:module_info(exports), erlang:is_builtin(M, F, A)].

decide({erlang, apply, A}, _) when A =:= 2; A =:= 3 -> apply;
%% In models: the way to a BIF itself. It writes its own end.
decide({elsewise_rt, o, 3}, _) -> plain;
decide({_, module_info, A}, _) when A < 2 -> opaque;
decide({M, _, _} = Mfa, #state{functions = Functions, modules = Modules}) ->
    case Functions of
        #{Mfa := primitive} -> primitive;
        #{Mfa := {M2, F2}} -> {redirect, M2, F2};
        _ when is_map_key(M, Modules) -> plain;
        _ -> opaque
    end.

text(Name) when is_binary(Name) -> unicode:characters_to_list(Name);
text(Name) -> Name.
