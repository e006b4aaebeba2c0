%%% Runs of plain modules: how a call ends, of what kind that is, and where in the subject it happened.
-module(truth_runs).
-export([run/2, kind/1, place/2]).

%% `{ok, Value}`, `{exception, Class, Reason, Stack}`, `hang`, `waits` (in a receive) or `memory`.
run(Call, Milliseconds) ->
    Self = self(),
    Limit = #{size => 1 bsl 22, kill => true, error_logger => false},
    {Pid, Monitor} = spawn_opt(
        fun() ->
            Self ! {self(), try {ok, Call()} catch Class:Reason:Stack -> {exception, Class, Reason, Stack} end}
        end,
        [monitor, {max_heap_size, Limit}]),
    receive
        {Pid, Outcome} ->
            demonitor(Monitor, [flush]),
            Outcome;
        {'DOWN', Monitor, process, Pid, killed} ->
            memory;
        {'DOWN', Monitor, process, Pid, Reason} ->
            {exception, exit, Reason, []}
    after Milliseconds ->
        Status = process_info(Pid, status),
        exit(Pid, kill),
        receive {'DOWN', Monitor, process, Pid, _} -> ok end,
        receive {Pid, _} -> ok after 0 -> ok end,
        case Status of
            {status, waiting} -> waits;
            _ -> hang
        end
    end.

%% The word for how a run ended, `none` where it ended well.
kind({ok, _}) -> none;
kind({spec, _}) -> "spec";
kind(hang) -> "hang";
kind(waits) -> "deadlock";
kind(memory) -> "memory";
kind({exception, exit, _, _}) -> "exit";
kind({exception, throw, _, _}) -> "throw";
kind({exception, error, Reason, _}) -> error_kind(Reason).

error_kind(Reason) when
        Reason =:= function_clause; Reason =:= if_clause; Reason =:= badarith; Reason =:= badarg;
        Reason =:= undef; Reason =:= cond_clause ->
    atom_to_list(Reason);
error_kind(Reason) when is_tuple(Reason), tuple_size(Reason) > 1, is_atom(element(1, Reason)) ->
    case atom_to_list(element(1, Reason)) of
        "assert" ++ _ -> "assertion";
        Name ->
            Known = ["badmatch", "case_clause", "try_clause", "badkey", "badmap", "badfun", "badarity",
                     "badrecord", "with_clause"],
            case lists:member(Name, Known) of
                true -> Name;
                false -> "error"
            end
    end;
error_kind(_) ->
    "error".

%% The topmost line of the module in the stack.
place({exception, _, _, Stack}, Module) ->
    case [Line || {M, _, _, Where} <- Stack, M =:= Module, {line, Line} <- Where] of
        [Line | _] -> Line;
        [] -> none
    end;
place(_, _) ->
    none.
