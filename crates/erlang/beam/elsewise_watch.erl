%% What the VM's own modules for files and sockets are asked and answered: what the system refuses to a subject,
%% which might get that outside of containment, and whether it goes to another folder.
-module(elsewise_watch).
-export([watch/0, taken/0]).

%% All that runs from now on is looked at, but for whoever asks.
-spec watch() -> ok.
watch() ->
    Tracer = spawn(fun() -> process_flag(priority, max), tracer({false, false}) end),
    put(?MODULE, Tracer),
    [erlang:trace_pattern({M, '_', '_'}, [{'_', [], [{return_trace}]}], [global])
     || M <- [prim_file, prim_inet, prim_socket], code:ensure_loaded(M) =:= {module, M}],
    erlang:trace(all, true, [call, {tracer, Tracer}]),
    erlang:trace(self(), false, [call]),
    ok.

%% Since this was asked last: was anything refused, and was the working directory changed?
-spec taken() -> {boolean(), boolean()}.
taken() ->
    case get(?MODULE) of
        undefined -> {false, false};
        Tracer -> taken(Tracer)
    end.

taken(Tracer) ->
    Delivered = erlang:trace_delivered(all),
    receive {trace_delivered, all, Delivered} -> ok end,
    Tag = erlang:monitor(process, Tracer),
    Tracer ! {taken, self(), Tag},
    receive
        {Tag, Seen} ->
            erlang:demonitor(Tag, [flush]),
            Seen;
        {'DOWN', Tag, process, _, _} ->
            %% A run has killed it: what it has seen is not known.
            ok = watch(),
            {true, true}
    end.

tracer({Refused, Moved} = Seen) ->
    receive
        {taken, From, Tag} ->
            From ! {Tag, Seen},
            tracer({false, false});
        {trace, _, call, {prim_file, set_cwd, _}} ->
            tracer({Refused, true});
        {trace, _, return_from, _, {error, Why}}
          when Why =:= eacces; Why =:= eperm; Why =:= erofs ->
            tracer({true, Moved});
        _ ->
            tracer(Seen)
    end.
