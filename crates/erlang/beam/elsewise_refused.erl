%% What the system refuses to a subject, as the VM's own modules for files and sockets see it: outside of
%% containment, it might get that.
-module(elsewise_refused).
-export([watch/0, taken/0]).

%% All that runs from now on is looked at, but for whoever asks.
-spec watch() -> ok.
watch() ->
    Tracer = spawn(fun() -> process_flag(priority, max), tracer(false) end),
    put(?MODULE, Tracer),
    [erlang:trace_pattern({M, '_', '_'}, [{'_', [], [{return_trace}]}], [global])
     || M <- [prim_file, prim_inet, prim_socket], code:ensure_loaded(M) =:= {module, M}],
    erlang:trace(all, true, [call, {tracer, Tracer}]),
    erlang:trace(self(), false, [call]),
    ok.

%% Whether anything was refused since this was asked last.
-spec taken() -> boolean().
taken() ->
    case get(?MODULE) of
        undefined -> false;
        Tracer -> taken(Tracer)
    end.

taken(Tracer) ->
    Delivered = erlang:trace_delivered(all),
    receive {trace_delivered, all, Delivered} -> ok end,
    Tag = erlang:monitor(process, Tracer),
    Tracer ! {taken, self(), Tag},
    receive
        {Tag, Refused} ->
            erlang:demonitor(Tag, [flush]),
            Refused;
        {'DOWN', Tag, process, _, _} ->
            %% A run has killed it: what it was refused is not known.
            ok = watch(),
            true
    end.

tracer(Refused) ->
    receive
        {taken, From, Tag} ->
            From ! {Tag, Refused},
            tracer(false);
        {trace, _, return_from, _, {error, Why}}
          when Why =:= eacces; Why =:= eperm; Why =:= erofs ->
            tracer(true);
        _ ->
            tracer(Refused)
    end.
