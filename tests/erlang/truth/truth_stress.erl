%%% Subjects with gen_servers, run many times with pauses by chance before each send, receive and start.
%%%
%%% That a bug is there, it shows; that a twin has none, or that there are no more outcomes, it only makes
%%% likely: the reasons stand in their first comments.
-module(truth_stress).
-export([load/2, outcome/1, pause/0]).

%% Compiles and loads a subject with pauses; the forms without them.
load(File, Options) ->
    Macros = [Macro || {d, Macro} <- Options],
    {ok, Forms} = epp:parse_file(File, [{macros, Macros}, {includes, [filename:dirname(File)]}]),
    {ok, Module, Binary} = compile:forms(paused(Forms), [binary, report]),
    code:purge(Module),
    {module, Module} = code:load_binary(Module, File, Binary),
    {Module, Forms}.

paused({op, L, '!', A, B}) -> after_pause(L, {op, L, '!', paused(A), paused(B)});
paused({'receive', L, Clauses}) -> after_pause(L, {'receive', L, paused(Clauses)});
paused({'receive', L, Clauses, Time, Body}) ->
    after_pause(L, {'receive', L, paused(Clauses), paused(Time), paused(Body)});
paused({call, L, {atom, _, Name} = Called, Args}) ->
    case lists:member(Name, [spawn, spawn_link, spawn_monitor, monitor, exit, process_flag]) of
        true -> after_pause(L, {call, L, Called, paused(Args)});
        false -> {call, L, Called, paused(Args)}
    end;
paused({call, L, {remote, _, {atom, _, gen_server}, _} = Called, Args}) ->
    after_pause(L, {call, L, Called, paused(Args)});
paused({attribute, _, _, _} = Attribute) -> Attribute;
paused(T) when is_tuple(T) -> list_to_tuple(paused(tuple_to_list(T)));
paused([H | T]) -> [paused(H) | paused(T)];
paused(Other) -> Other.

after_pause(L, Form) ->
    Pause = {call, L, {remote, L, {atom, L, ?MODULE}, {atom, L, pause}}, []},
    {block, L, [Pause, Form]}.

pause() ->
    case rand:uniform(6) of
        1 -> timer:sleep(1);
        2 -> timer:sleep(2);
        3 -> erlang:yield();
        _ -> ok
    end.

%% How one run ends: as `truth_runs:run`, but `waits` once none of its processes has done anything for long.
outcome(Call) ->
    Before = processes(),
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() ->
        Self ! {self(), try {ok, Call()} catch Class:Reason:Stack -> {exception, Class, Reason, Stack} end}
    end),
    Outcome = wait(Pid, Monitor, Before, none),
    demonitor(Monitor, [flush]),
    [exit(Other, kill) || Other <- processes() -- Before],
    gone(Before),
    Outcome.

wait(Pid, Monitor, Before, Last) ->
    receive
        {Pid, Outcome} -> Outcome;
        {'DOWN', Monitor, process, Pid, Reason} -> {exception, exit, Reason, []}
    after 100 ->
        case [{Other, process_info(Other, [status, reductions])} || Other <- processes() -- Before] of
            [_ | _] = Last ->
                Waits = fun({_, Info}) -> Info =:= undefined orelse lists:member({status, waiting}, Info) end,
                case lists:all(Waits, Last) of
                    true -> waits;
                    false -> wait(Pid, Monitor, Before, Last)
                end;
            Now ->
                wait(Pid, Monitor, Before, Now)
        end
    end.

%% Names of the last run must be free before the next one.
gone(Before) ->
    case processes() -- Before of
        [] -> ok;
        _ -> erlang:yield(), gone(Before)
    end.
