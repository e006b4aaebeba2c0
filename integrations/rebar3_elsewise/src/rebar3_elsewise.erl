%% `rebar3 elsewise MODULE:FUNCTION/ARITY`: explores a function of the project, compiled as the project
%% says.
-module(rebar3_elsewise).
-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = providers:create([
        {name, elsewise},
        {module, ?MODULE},
        {bare, true},
        {deps, [compile]},
        {opts, []},
        {example, "rebar3 elsewise bank:transfer/3 -- --budget 60s"},
        {short_desc, "Find the arguments that make a function fail"},
        {desc, "Explores a function with Elsewise. What follows -- is handed on to `elsewise explore`."}
    ]),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    case [Word || Word <- rebar_state:command_args(State), Word =/= "--"] of
        [Named | Flags] ->
            case string:split(Named, ":") of
                [Module, Function] -> explore(State, Module, Function, Flags);
                _ -> {error, {?MODULE, {wrong, Named}}}
            end;
        [] ->
            {error, {?MODULE, missing}}
    end.

explore(State, Module, Function, Flags) ->
    Apps = rebar_state:project_apps(State),
    case lists:append([sources(App, Module) || App <- Apps]) of
        [] ->
            {error, {?MODULE, {no_module, Module}}};
        [{App, Source} | _] ->
            case os:find_executable("elsewise") of
                false ->
                    {error, {?MODULE, no_program}};
                Program ->
                    Target = relative(Source) ++ "::" ++ Function,
                    Paths = [["--code-path", Path] || Path <- paths(State, Apps)],
                    Words = ["explore", Target | lists:append(Paths ++ [options(App, Source)])],
                    end_with(start(Program, Words ++ Flags), State)
            end
    end.

%% The files of an application that define the module.
sources(App, Module) ->
    Folders = rebar_dir:src_dirs(rebar_app_info:opts(App), ["src"]),
    [
        {App, Source}
     || Folder <- Folders,
        Source <- filelib:wildcard(
            filename:join([rebar_app_info:dir(App), Folder, "**", Module ++ ".erl"])
        )
    ].

%% Where compiled modules are, those of the project among them.
paths(State, Apps) ->
    Own = [rebar_app_info:ebin_dir(App) || App <- Apps],
    All = lists:usort(Own ++ rebar_state:code_paths(State, all_deps)),
    [Path || Path <- All, filelib:is_dir(Path)].

%% Header files and macros, as the project's options have them.
options(App, Source) ->
    Dir = rebar_app_info:dir(App),
    Options = rebar_opts:erl_opts(rebar_app_info:opts(App)),
    Given = [filename:absname(Folder, Dir) || {i, Folder} <- Options],
    Folders = [filename:join(Dir, "include"), filename:dirname(Source) | Given],
    Include = [["--include", Folder] || Folder <- Folders, filelib:is_dir(Folder)],
    Macros = [["--macro", Macro] || Option <- Options, Macro <- macro(Option)],
    lists:append(Include ++ Macros).

macro({d, Name}) -> [atom_to_list(Name)];
macro({d, Name, Value}) -> [lists:flatten(io_lib:format("~s=~0tp", [Name, Value]))];
macro(_) -> [].

relative(File) ->
    {ok, Here} = file:get_cwd(),
    case string:prefix(File, Here ++ "/") of
        nomatch -> File;
        Rest -> Rest
    end.

%% On this terminal: what the program says is seen as it says it.
start(Program, Words) ->
    Port = open_port({spawn_executable, Program}, [{args, Words}, nouse_stdio, exit_status]),
    receive
        {Port, {exit_status, Status}} -> Status
    end.

%% The program's exit code says more than rebar3's own would.
end_with(0, State) -> {ok, State};
end_with(Status, _) -> erlang:halt(Status).

format_error(missing) ->
    "name a function: rebar3 elsewise MODULE:FUNCTION/ARITY";
format_error({wrong, Named}) ->
    io_lib:format("`~ts` names no function: write MODULE:FUNCTION/ARITY", [Named]);
format_error({no_module, Module}) ->
    io_lib:format("no application of this project has a module ~ts", [Module]);
format_error(no_program) ->
    "the program `elsewise` is not in the PATH: install it, or add its folder".
