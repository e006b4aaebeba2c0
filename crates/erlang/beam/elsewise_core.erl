%% Core Erlang of a source file, or of a .beam with debug information; errors as text for people.
-module(elsewise_core).
-export([file/2, core/2, forms_of_beam/1, plain/2, elixir/0]).

-type options() :: #{include => [binary()], macros => [{atom(), term()}], _ => _}.

%% Core as the compiler's first pass leaves it: one clause for each clause of the source, since no
%% optimisation has merged or dropped any.
-spec file(binary() | string(), options()) -> {ok, module(), cerl:cerl()} | {error, binary()}.
file(Name, Options) ->
    File = text(Name),
    case filename:extension(File) of
        ".erl" ->
            case filelib:is_regular(File) of
                true -> source(File, Options);
                false -> error_text("~ts: there is no such file", [File])
            end;
        ".beam" ->
            case forms_of_beam(File) of
                {ok, Forms} -> core(Forms, options(Options));
                {error, _} = Error -> Error
            end;
        ".core" ->
            written(File);
        _ ->
            error_text("~ts: none of .erl, .beam and .core", [File])
    end.

%% Core Erlang as somebody wrote it.
written(File) ->
    Read = fun() ->
        {ok, Text} = file:read_file(File),
        {ok, Tokens, _} = core_scan:string(unicode:characters_to_list(Text)),
        {ok, Core} = core_parse:parse(Tokens),
        {ok, cerl:concrete(cerl:module_name(Core)), Core}
    end,
    try
        Read()
    catch
        error:{badmatch, {error, Reason}} -> error_text("~ts: ~tp", [File, Reason]);
        error:{badmatch, {error, Reason, _}} -> error_text("~ts: ~tp", [File, Reason])
    end.

%% The module as it would run without us, for the plain VM.
-spec plain(binary() | string(), options()) -> {ok, module(), binary()} | {error, binary()}.
plain(Name, Options) ->
    File = text(Name),
    case filename:extension(File) of
        ".beam" ->
            case file:read_file(File) of
                {ok, Binary} ->
                    case beam_lib:info(Binary) of
                        {error, beam_lib, _} -> error_text("~ts: not a .beam file", [File]);
                        Info -> {ok, proplists:get_value(module, Info), Binary}
                    end;
                {error, Reason} ->
                    error_text("~ts: ~ts", [File, file:format_error(Reason)])
            end;
        ".core" ->
            answer(compile:noenv_file(filename:rootname(File), [from_core | options(Options)]));
        _ ->
            answer(compile:noenv_file(base(File), [debug_info | options(Options)]))
    end.

source(File, Options) ->
    answer(compile:noenv_file(base(File), [to_core, no_copt | options(Options)])).

-spec core([tuple()], [term()]) -> {ok, module(), cerl:cerl()} | {error, binary()}.
core(Forms, Options) ->
    answer(compile:noenv_forms(Forms, [to_core, no_copt | Options])).

base(File) -> filename:rootname(File, ".erl").

options(Options) ->
    [binary, return_errors, return_warnings, nowarn_deprecated_function]
        ++ [{i, text(Dir)} || Dir <- maps:get(include, Options, [])]
        ++ [{d, Name, Value} || {Name, Value} <- maps:get(macros, Options, [])].

answer({ok, Module, Result}) -> {ok, Module, Result};
answer({ok, Module, Result, _Warnings}) -> {ok, Module, Result};
answer({error, Errors, _Warnings}) ->
    {error, iolist_to_binary([error_lines(File, Infos) || {File, Infos} <- Errors])};
answer(error) -> error_text("the compiler failed without saying why", []).

error_lines(File, Infos) ->
    [unicode:characters_to_binary([File, place(Info), ": ", what(Info), "\n"]) || Info <- Infos].

place({{Line, Column}, _, _}) -> io_lib:format(":~w:~w", [Line, Column]);
place({Line, _, _}) when is_integer(Line) -> io_lib:format(":~w", [Line]);
place(_) -> "".

what({_, Module, Reason}) -> what(Module, Reason);
what({Module, Reason}) -> what(Module, Reason).

what(Module, Reason) ->
    try
        Module:format_error(Reason)
    catch
        _:_ -> io_lib:format("~tp", [Reason])
    end.

%% Abstract code of a .beam: Erlang's own, or what another language's compiler left a way to get.
-spec forms_of_beam(file:filename() | binary()) -> {ok, [tuple()]} | {error, binary()}.
forms_of_beam(Beam) ->
    case beam_lib:chunks(Beam, [debug_info]) of
        {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}]}} when Data =/= none ->
            backend_path(Backend),
            try Backend:debug_info(erlang_v1, Module, Data, []) of
                {ok, Forms} -> {ok, Forms};
                {error, Reason} -> no_debug_info(Beam, Reason)
            catch
                error:undef -> no_debug_info(Beam, {missing, Backend});
                _:Reason -> no_debug_info(Beam, Reason)
            end;
        {ok, _} ->
            no_debug_info(Beam, none);
        {error, beam_lib, Reason} ->
            error_text("~ts", [beam_lib:format_error(Reason)])
    end.

no_debug_info(Beam, {missing, elixir_erl}) ->
    error_text("~ts: made by Elixir, which is not on this machine's PATH", [name(Beam)]);
no_debug_info(Beam, _Reason) ->
    error_text("~ts: no debug information in it; compile it with +debug_info", [name(Beam)]).

name(Beam) when is_binary(Beam), byte_size(Beam) > 4000 -> "a .beam";
name(Beam) -> Beam.

backend_path(elixir_erl) -> elixir();
backend_path(_) -> ok.

%% Elixir's own libraries are needed to understand what its compiler left; they are found beside
%% the `elixir` that a person would call.
-spec elixir() -> ok.
elixir() ->
    case code:ensure_loaded(elixir_erl) of
        {module, _} ->
            ok;
        _ ->
            case os:find_executable("elixir") of
                false -> ok;
                Path -> add_elixir(Path)
            end
    end.

add_elixir(Path) ->
    Bin = filename:dirname(resolved(Path)),
    Places = [filename:join([filename:dirname(Bin) | Tail])
              || Tail <- [["lib"], ["lib", "elixir", "lib"]]],
    [code:add_pathz(Ebin) || Place <- Places, Ebin <- filelib:wildcard(Place ++ "/*/ebin")],
    ok.

resolved(Path) ->
    case file:read_link(Path) of
        {ok, Target} -> resolved(filename:absname(Target, filename:dirname(Path)));
        {error, _} -> Path
    end.

error_text(Format, Args) ->
    {error, unicode:characters_to_binary(io_lib:format(Format, Args))}.

text(Name) when is_binary(Name) -> unicode:characters_to_list(Name);
text(Name) -> Name.
