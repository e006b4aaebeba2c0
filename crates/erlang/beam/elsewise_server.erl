%% The engine's end in a VM: loads modules and runs functions, told over a socket.
-module(elsewise_server).
-export([start/1, run/4]).

%% Milliseconds between two looks at a run.
-define(LOOK, 20).

%% A run that waits for a processor is given so many times its limit, but no more than so many microseconds.
-define(STARVED, 10).
-define(MORE, 30000000).

%% When a run is over: its limit, until when it may run now and at most, and the VM's processor time when it
%% began; microseconds.
-record(time, {limit, now, most, cpu}).

%% Words that a run begins with. All events are alive to the end, so that every collection copies
%% all of them for nothing; pages that a short run does not touch cost it nothing.
-define(HEAP, 4000000).

%% Called by `erl -s elsewise_server start IN OUT`, which are numbers of descriptors.
-spec start([atom()]) -> no_return().
start([In, Out]) ->
    %% Whatever a subject does, it must not keep the server from looking at the clock.
    process_flag(priority, max),
    logger:set_primary_config(level, none),
    Number = fun(Atom) -> list_to_integer(atom_to_list(Atom)) end,
    Port = open_port({fd, Number(In), Number(Out)}, [binary, {packet, 4}, eof]),
    elsewise_watch:watch(),
    loop(Port).

loop(Port) ->
    receive
        {Port, {data, Bytes}} ->
            Answer = answer(binary_to_term(Bytes)),
            true = port_command(Port, term_to_binary(Answer)),
            %% Where the subject is a module that the VM itself uses, we leave events as well.
            elsewise_rt:forget_events(),
            loop(Port);
        {Port, eof} ->
            halt(0)
    end.

answer({load, Options}) ->
    guarded(fun() -> elsewise_load:load(Options) end);
answer({plain, Options}) ->
    guarded(fun() -> elsewise_load:plain(Options) end);
answer({enter, Modules}) ->
    guarded(fun() -> elsewise_load:enter(Modules) end);
answer({run, M, F, Args, Limits}) ->
    Before = elsewise_state:summary(),
    {ran, Outcome, Micros, Events, Told} = run(M, F, Args, Limits),
    {Refused, Moved} = elsewise_watch:taken(),
    Changed = Moved orelse elsewise_state:summary() =/= Before,
    {ran, Outcome, Micros, Events, Told, Refused, Changed};
answer(Other) ->
    {error, unicode:characters_to_binary(io_lib:format("unknown request: ~tp", [Other]))}.

guarded(Load) ->
    try
        Load()
    catch
        Class:Reason:Stack ->
            Text = io_lib:format("the module could not be loaded: ~tp", [{Class, Reason, Stack}]),
            {error, unicode:characters_to_binary(Text)}
    end.

%% One run: a process of its own, with nothing in its dictionary but the list of events.
-spec run(module(), atom(), [term()], map()) ->
    {ran, tuple(), non_neg_integer(), binary(), tuple() | none}.
run(M, F, Args, Limits) ->
    Sink = sink(),
    Before = {registered(), erlang:system_info(process_count)},
    Server = self(),
    Tag = make_ref(),
    Start = erlang:monotonic_time(microsecond),
    Cpu = processor(),
    Schedule = maps:get(schedule, Limits, none),
    {Pid, Monitor} = spawn_opt(fun() -> runner(Server, Tag, Sink, M, F, Args, Schedule) end,
                               [monitor, {min_heap_size, ?HEAP}]),
    Limit = maps:get(timeout, Limits, 5000) * 1000,
    Time = #time{limit = Limit, now = Start + Limit,
                 most = Start + min(?STARVED * Limit, Limit + ?MORE), cpu = Cpu},
    Memory = maps:get(memory, Limits, 512 * 1024 * 1024),
    {Outcome, Events} = watch(Pid, Monitor, Tag, Time, Memory),
    Told = turns(Outcome, Start + Limit),
    Micros = erlang:monotonic_time(microsecond) - Start,
    clean(Sink, Before),
    {ran, Outcome, Micros, Events, Told}.

%% Where there was more than one process: when all of them have come to rest, what each did.
turns(Outcome, End) ->
    receive
        {elsewise_s, S} ->
            case Outcome of
                {stuck, _} -> erase(elsewise_told);
                _ ->
                    Left = max(0, (End - erlang:monotonic_time(microsecond)) div 1000),
                    receive {elsewise_quiet, S, _} -> ok after Left -> ok end,
                    elsewise_sched:stop(S)
            end
    after 0 ->
        none
    end.

runner(Server, Tag, Sink, M, F, Args, Schedule) ->
    group_leader(Sink, self()),
    case Schedule of
        none -> ok;
        _ -> elsewise_sched:prepare(Server, Schedule)
    end,
    Inputs = elsewise_rt:inputs(Args),
    elsewise_rt:begin_events(),
    Outcome = try
                  {ok, apply(M, F, Inputs)}
              catch
                  Class:Reason:Stack ->
                      {exception, Class, Reason, elsewise_rt:original(Stack)}
              end,
    case get(elw_s) of
        undefined ->
            Server ! {Tag, Outcome, elsewise_rt:take_events()};
        _ ->
            elsewise_sched:finish(Outcome),
            Server ! {Tag, Outcome, <<>>}
    end.

%% The process is looked at from outside: it may be deep in anything.
watch(Pid, Monitor, Tag, Time, Memory) ->
    receive
        {Tag, Outcome, Events} ->
            receive
                {'DOWN', Monitor, process, Pid, _} -> {Outcome, Events}
            end;
        {elsewise_quiet, S, How} ->
            %% The first process waits, and nobody will ever answer.
            put(elsewise_told, elsewise_sched:stop(S)),
            exit(Pid, kill),
            receive
                {'DOWN', Monitor, process, Pid, _} -> {{stuck, How}, <<>>}
            end;
        {'DOWN', Monitor, process, Pid, Reason} ->
            %% Ended from outside, by a link or a signal: what it had written went with it.
            {{exception, exit, Reason, []}, <<>>}
    after ?LOOK ->
        case erlang:process_info(Pid, memory) of
            {memory, Used} when Used > Memory ->
                stop(Pid, Monitor, Tag, memory, Used);
            _ ->
                #time{limit = Limit, now = Now} = Time,
                case erlang:monotonic_time(microsecond) > Now of
                    false -> watch(Pid, Monitor, Tag, Time, Memory);
                    true ->
                        case starved(Pid, Time) of
                            false -> stop(Pid, Monitor, Tag, timeout, 0);
                            true -> watch(Pid, Monitor, Tag, Time#time{now = Now + Limit}, Memory)
                        end
                end
        end
    end.

%% On a busy machine a run may not have had the time that it was given: one that could go on and has used
%% little of a processor waits for one.
starved(Pid, #time{limit = Limit, now = Now, most = Most, cpu = Cpu}) ->
    {status, Status} = case erlang:process_info(Pid, status) of
                           undefined -> {status, ended};
                           Found -> Found
                       end,
    Ready = lists:member(Status, [running, runnable, garbage_collecting]),
    Ready andalso Now < Most andalso processor() - Cpu < Limit * 4 div 5.

%% Microseconds that this VM has had of processors.
processor() ->
    {Milliseconds, _} = erlang:statistics(runtime),
    Milliseconds * 1000.

%% The events are packed in a process that ends with it: a server's heap that once held a hundred
%% million of them would be slow for ever.
stop(Pid, Monitor, Tag, Why, Used) ->
    catch erlang:suspend_process(Pid),
    {_, Packer} = spawn_monitor(fun() -> exit({packed, taken(Pid, Why, Used)}) end),
    Result = receive
                 {'DOWN', Packer, process, _, {packed, Taken}} -> Taken;
                 {'DOWN', Packer, process, _, _} -> {{Why, []}, <<>>}
             end,
    exit(Pid, kill),
    receive
        {'DOWN', Monitor, process, Pid, _} -> ok
    end,
    %% It may have ended between the last look and now.
    receive
        {Tag, Outcome, Packed} -> {Outcome, Packed}
    after 0 ->
        Result
    end.

%% A run that has filled its memory with events has run too long, and not used too much.
taken(Pid, Why, Used) ->
    case erlang:process_info(Pid, [dictionary, current_stacktrace]) of
        [{dictionary, Dictionary}, {current_stacktrace, Stack}] ->
            Events = elsewise_rt:events_of(Dictionary),
            Outcome = case Why of
                          memory when length(Events) * 32 > Used -> timeout;
                          _ -> Why
                      end,
            {{Outcome, elsewise_rt:original(Stack)}, elsewise_rt:pack(Events)};
        undefined ->
            {{Why, []}, <<>>}
    end.

%% Whatever the run left behind has its group leader. To list all processes takes longer than most
%% runs, so that it is only done where there are more than before.
clean(Sink, {Names, Count}) ->
    case erlang:system_info(process_count) =:= Count of
        true -> ok;
        false -> [stop(P) || P <- processes(),
                             erlang:process_info(P, group_leader) =:= {group_leader, Sink}]
    end,
    case registered() of
        Names -> ok;
        Now -> [catch unregister(Name) || Name <- Now -- Names]
    end,
    case is_process_alive(Sink) of
        true -> ok;
        false -> erase(elsewise_sink)
    end.

stop(Pid) ->
    Monitor = erlang:monitor(process, Pid),
    exit(Pid, kill),
    receive
        {'DOWN', Monitor, process, Pid, _} -> ok
    end.

%% What a subject prints goes nowhere, and what it reads is at its end.
sink() ->
    case get(elsewise_sink) of
        undefined ->
            Sink = spawn(fun sink_loop/0),
            put(elsewise_sink, Sink),
            Sink;
        Sink ->
            Sink
    end.

sink_loop() ->
    receive
        {io_request, From, As, Request} ->
            From ! {io_reply, As, io_answer(Request)},
            sink_loop();
        _ ->
            sink_loop()
    end.

io_answer(Request) when is_tuple(Request) ->
    case element(1, Request) of
        put_chars -> ok;
        requests -> ok;
        setopts -> ok;
        get_geometry -> {error, enotsup};
        _ -> eof
    end;
io_answer(getopts) -> [];
io_answer(_) -> {error, request}.
