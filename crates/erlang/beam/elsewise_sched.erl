%% Whose turn it is: processes of a run, one visible thing at a time.
%%
%% Whatever a process does that others can notice (it sends, starts another, looks for a name, ends …)
%% it asks for first, and does when it is told to. What it computes in between, it does by itself: the
%% processes of a run have a high priority and there is one scheduler thread, so that the process that
%% gives turns runs only when all of them wait, for a turn or for a message. Messages, links, monitors
%% and names are the machine's own.
-module(elsewise_sched).
-export([prepare/2, finish/1, operation/3, op/1, time/1, stop/1]).

-record(s, {
    server, schedule, last = 0,
    %% Pid to name; name to how many processes it has started.
    names = #{}, births = #{},
    %% Those that ask for a turn: name to {Pid, Operation}.
    asking = #{},
    %% Newest first: moves, and what processes have told.
    moves = [], told = [],
    ended = #{}, crashes = [], count = 0, most
}).

%% More turns than any run of interest has.
-define(MOVES, 20000).

%% Said by the first process of a run, before it begins: whoever gives turns is started when one is
%% asked for.
-spec prepare(pid(), [non_neg_integer()]) -> ok.
prepare(Server, Schedule) ->
    put(elw_start, {Server, Schedule}),
    ok.

on() -> get(elw_s) =/= undefined orelse get(elw_start) =/= undefined.

scheduler() ->
    case get(elw_s) of
        undefined ->
            {Server, Schedule} = get(elw_start),
            State = #s{server = Server, schedule = Schedule, most = ?MOVES},
            S = spawn_opt(fun() -> loop(State) end, [{min_heap_size, 4096}]),
            Server ! {elsewise_s, S},
            S ! {main, self()},
            put(elw_s, S),
            process_flag(priority, high),
            S;
        S ->
            S
    end.

%% The operation that a call is, if others can notice it.
-spec operation(module(), atom(), [term()]) -> none | term().
operation(erlang, F, Args) ->
    case on() of
        true -> operation(F, Args);
        false -> none
    end;
operation(timer, sleep, [Time]) when Time =/= infinity ->
    case on() of
        true -> poll;
        false -> none
    end;
operation(_, _, _) -> none.

operation('!', [To, Message]) -> {send, To, Message};
operation(send, [To, Message]) -> {send, To, Message};
operation(spawn, [F]) when is_function(F, 0) -> {spawn, [], fun() -> elsewise_rt:a(F, []) end};
operation(spawn, [M, F, Args]) when is_list(Args) -> {spawn, [], called(M, F, Args)};
operation(spawn_link, [F]) when is_function(F, 0) -> {spawn, [link], fun() -> elsewise_rt:a(F, []) end};
operation(spawn_link, [M, F, Args]) when is_list(Args) -> {spawn, [link], called(M, F, Args)};
operation(spawn_monitor, [F]) when is_function(F, 0) ->
    {spawn, [monitor], fun() -> elsewise_rt:a(F, []) end};
operation(spawn_monitor, [M, F, Args]) when is_list(Args) -> {spawn, [monitor], called(M, F, Args)};
operation(register, [Name, Pid]) -> {register, Name, Pid};
operation(unregister, [Name]) -> {unregister, Name};
operation(whereis, [Name]) -> {whereis, Name};
operation(monitor, [process, Who]) when is_pid(Who); is_atom(Who) -> {monitor, Who};
operation(demonitor, [Reference]) -> {demonitor, Reference, []};
operation(demonitor, [Reference, Options]) -> {demonitor, Reference, Options};
operation(link, [Who]) when is_pid(Who) -> {link, Who};
operation(unlink, [Who]) when is_pid(Who) -> {unlink, Who};
operation(exit, [Who, Reason]) when is_pid(Who) -> {exit, Who, Reason};
operation(is_process_alive, [Who]) when is_pid(Who) -> {alive, Who};
operation(process_flag, [trap_exit, Value]) -> {trap, Value};
operation(_, _) -> none.

called(M, F, Args) -> fun() -> elsewise_rt:c(M, F, Args) end.

%% Asks for a turn, and does what it was asked for.
-spec op(tuple()) -> term().
op(Operation) ->
    S = scheduler(),
    S ! {ask, self(), Operation, elsewise_rt:take_events()},
    receive {elsewise_go, S} -> ok end,
    elsewise_rt:event(m),
    perform(Operation, S).

perform({send, To, Message}, _) -> erlang:send(To, Message);
perform({spawn, Kind, Fun}, S) -> born(Kind, Fun, S);
perform({register, Name, Pid}, _) -> register(Name, Pid);
perform({unregister, Name}, _) -> unregister(Name);
perform({whereis, Name}, _) -> whereis(Name);
perform({monitor, Who}, _) -> erlang:monitor(process, Who);
perform({demonitor, Reference, Options}, _) -> erlang:demonitor(Reference, Options);
perform({link, Who}, _) -> link(Who);
perform({unlink, Who}, _) -> unlink(Who);
perform({exit, Who, Reason}, _) -> exit(Who, Reason);
perform({alive, Who}, _) -> is_process_alive(Who);
perform({trap, Value}, _) -> process_flag(trap_exit, Value);
perform(poll, _) -> ok;
perform({finish, _, _, _}, _) -> ok.

%% A process that is told of before it runs.
born(Kind, Fun, S) ->
    Parent = self(),
    Leader = group_leader(),
    Child = fun() ->
        group_leader(Leader, self()),
        put(elw_s, S),
        elsewise_rt:begin_events(),
        S ! {born, self(), Parent},
        ended(Fun)
    end,
    Options = [{priority, high} | Kind],
    spawn_opt(Child, Options).

ended(Fun) ->
    try Fun() of
        _ -> finish({ok, ok})
    catch
        Class:Reason:Stack ->
            finish({exception, Class, Reason, elsewise_rt:original(Stack)}),
            erlang:raise(Class, Reason, Stack)
    end.

%% Said by a process when it has ended, however that was.
-spec finish(tuple()) -> ok.
finish(Outcome) ->
    S = get(elw_s),
    [{links, Links}, {monitored_by, Watchers}, {registered_name, Name}] =
        process_info(self(), [links, monitored_by, registered_name]),
    op({finish, Outcome, [P || P <- Links, is_pid(P)] ++ Watchers, Name}),
    S ! {done, self(), elsewise_rt:take_events()},
    ok.

%% How long a receive waits. Time passes when nobody else moves, or sooner: whoever waits with a limit
%% has waited long enough when it gets its turn.
-spec time(timeout()) -> timeout().
time(infinity) -> infinity;
time(Time) ->
    case on() of
        true -> op(poll), 0;
        false -> Time
    end.

%% Ends the run: what there is to tell.
-spec stop(pid()) -> tuple() | none.
stop(S) ->
    Monitor = erlang:monitor(process, S),
    S ! {stop, self()},
    receive
        {elsewise_told, S, Told} ->
            erlang:demonitor(Monitor, [flush]),
            Told;
        {'DOWN', Monitor, process, S, _} ->
            none
    end.

%% Runs only when all others wait.
loop(State) ->
    erlang:yield(),
    receive
        Message -> loop(heard(Message, State))
    after 0 ->
        turn(State)
    end.

heard({main, Pid}, State) ->
    State#s{names = #{Pid => 0}};
heard({born, Pid, Parent}, #s{names = Names, births = Births} = State) ->
    Above = maps:get(Parent, Names, 0),
    K = maps:get(Above, Births, 0) + 1,
    State#s{names = Names#{Pid => child(Above, K)}, births = Births#{Above => K}};
heard({ask, Pid, Operation, Events}, #s{names = Names, asking = Asking, told = Told} = State) ->
    Name = maps:get(Pid, Names, 0),
    State#s{asking = Asking#{Name => {Pid, Operation}}, told = [{Name, Events} | Told]};
heard({done, Pid, Events}, #s{names = Names, told = Told, ended = Ended} = State) ->
    Name = maps:get(Pid, Names, 0),
    State#s{told = [{Name, Events} | Told], ended = Ended#{Name => true}};
heard({stop, From}, State) ->
    answer(From, told(State, stopped), State);
heard(_, State) ->
    State.

%% The name of a process says whose child it is, and which of them.
child(Parent, K) ->
    case Parent * 16 + K of
        Small when K < 16, Small < 1 bsl 28 -> Small;
        _ -> (1 bsl 28) + erlang:phash2({Parent, K}, 1 bsl 28)
    end.

turn(#s{asking = Asking, schedule = Schedule, last = Last} = State0) ->
    State = without_dead(State0),
    Ready = State#s.asking,
    case map_size(Ready) of
        0 when map_size(Asking) > 0 -> turn(State);
        0 -> quiet(State);
        _ ->
            {Name, Rest} = choose(Schedule, Ready, Last),
            grant(Name, State#s{schedule = Rest})
    end.

%% A process that was ended by another one asks for nothing any more.
without_dead(#s{asking = Asking} = State) ->
    State#s{asking = maps:filter(fun(_, {Pid, _}) -> is_process_alive(Pid) end, Asking)}.

choose([Name | Rest], Ready, _) when is_map_key(Name, Ready) -> {Name, Rest};
choose([_ | Rest], Ready, Last) -> choose(Rest, Ready, Last);
choose([], Ready, Last) ->
    Patient = [Name || {Name, {_, poll}} <- maps:to_list(Ready)],
    Others = lists:sort(maps:keys(Ready) -- Patient),
    Name = case {lists:member(Last, Others), Others} of
               {true, _} -> Last;
               {false, [First | _]} -> First;
               {false, []} -> lists:min(Patient)
           end,
    {Name, []}.

grant(Name, #s{asking = Asking, moves = Moves, count = Count, most = Most} = State) ->
    {Pid, Operation} = maps:get(Name, Asking),
    State1 = State#s{asking = maps:remove(Name, Asking), last = Name, count = Count + 1,
                     moves = [{Name, described(Operation, Name, State)} | Moves]},
    State2 = case Operation of
                 {finish, {exception, Class, Reason, Stack}, _, _} when Name =/= 0 ->
                     State1#s{crashes = [{Name, Class, Reason, Stack} | State1#s.crashes]};
                 _ ->
                     State1
             end,
    case Count > Most of
        true ->
            quiet(State2#s{asking = #{}}, livelock);
        false ->
            Pid ! {elsewise_go, self()},
            loop(State2)
    end.

%% What was done, with names in place of pids: a name is the same in every run.
described({spawn, _, _}, Name, #s{births = Births}) ->
    {spawn, child(Name, maps:get(Name, Births, 0) + 1)};
described(Operation, _, State) ->
    described(Operation, State).

described({send, To, Message}, State) ->
    case is_atom(To) of
        true -> {send, name_of(catch whereis(To), State), To, Message};
        false -> {send, name_of(To, State), none, Message}
    end;
described({register, Name, Pid}, State) -> {register, Name, name_of(Pid, State)};
described({unregister, Name}, _) -> {unregister, Name};
described({whereis, Name}, _) -> {whereis, Name};
described({Kind, Who}, State) when Kind =:= monitor; Kind =:= link; Kind =:= unlink; Kind =:= alive ->
    case is_atom(Who) of
        true -> {Kind, name_of(catch whereis(Who), State), Who};
        false -> {Kind, name_of(Who, State), none}
    end;
described({demonitor, _, _}, _) -> demonitor;
described({exit, Who, _}, State) -> {exit, name_of(Who, State), none};
described({trap, Value}, _) -> {trap, Value};
described(poll, _) -> poll;
described({finish, _, Whom, Name}, State) ->
    {finish, lists:usort([N || P <- Whom, is_integer(N = name_of(P, State))]),
     case is_atom(Name) of true -> Name; false -> none end}.

name_of(Pid, #s{names = Names}) -> maps:get(Pid, Names, none).

%% Nobody asks: all have ended or wait for messages. Others than processes of the run may still be at
%% work for them, so that it is looked at twice.
quiet(State) ->
    Main = [Pid || {Pid, 0} <- maps:to_list(State#s.names)],
    case maps:is_key(0, State#s.ended) orelse not lists:any(fun is_process_alive/1, Main) of
        true -> quiet(State, quiet);
        false ->
            Asked = asked_outside(State),
            Before = work(Asked, State),
            %% Whom they have asked may have to wait for something itself.
            Patience = case Asked of
                           [] -> 15;
                           _ -> 500
                       end,
            receive
                Message -> loop(heard(Message, State))
            after Patience ->
                %% Whoever is asked what it monitors has worked; so that comes last.
                After = work(Asked, State),
                Still = After =:= Before andalso lists:all(fun at_rest/1, After),
                case Still andalso asked_outside(State) =:= Asked of
                    true -> quiet(State, deadlock);
                    false -> loop(State)
                end
            end
    end.

%% Who may be at work for processes of the run: those that they have started past us, and those that
%% they have asked something.
work(Asked, #s{names = Names}) ->
    Own = maps:keys(Names),
    Leaders = [element(2, L) || P <- Own, (L = process_info(P, group_leader)) =/= undefined],
    Started = [P || P <- processes(), P =/= self(), lists:member(element(2, leader(P)), Leaders)],
    lists:usort([{P, process_info(P, [reductions, status])} || P <- Started ++ Asked]).

%% Whoever asks monitors whom it asks (the code server, a file, any server of the system), which may
%% have asked others.
asked_outside(#s{names = Names}) ->
    Own = maps:keys(Names),
    [P || P <- asked(Own, []) -- Own, is_process_alive(P)].

asked([], Seen) -> Seen;
asked([P | Rest], Seen) ->
    Monitored = case process_info(P, monitors) of
                    {monitors, List} -> [whom(M) || M <- List];
                    _ -> []
                end,
    New = [Q || Q <- lists:usort(Monitored), is_pid(Q), node(Q) =:= node(), Q =/= self(),
                not lists:member(Q, Seen)],
    asked(New ++ Rest, New ++ Seen).

whom({process, {Name, Node}}) when Node =:= node() -> whereis(Name);
whom({process, Pid}) -> Pid;
whom(_) -> none.

%% Whoever runs, or is about to, is not waited for in vain.
at_rest({_, undefined}) -> true;
at_rest({_, [_, {status, waiting}]}) -> true;
at_rest(_) -> false.

leader(P) ->
    case process_info(P, group_leader) of
        undefined -> {group_leader, none};
        Leader -> Leader
    end.

%% The server hears of the end, and asks for the rest when it is ready.
quiet(State, How) ->
    State#s.server ! {elsewise_quiet, self(), How},
    receive
        {stop, From} -> answer(From, told(State, How), State)
    end.

answer(From, Told, _) ->
    From ! {elsewise_told, self(), Told}.

told(State, How) ->
    #s{names = Names, told = Told, moves = Moves, asking = Asking, crashes = Crashes} = State,
    Living = [{Name, rest(Pid)} || {Pid, Name} <- maps:to_list(Names),
                                   not maps:is_key(Name, State#s.ended)],
    Waiting = [{Name, stack(Pid), queue(Pid)}
               || {Pid, Name} <- lists:keysort(2, maps:to_list(Names)),
                  is_process_alive(Pid), not maps:is_key(Name, Asking),
                  not maps:is_key(Name, State#s.ended)],
    All = lists:reverse(Told) ++ Living,
    Processes = [{Name, Pid, iolist_to_binary([E || {N, E} <- All, N =:= Name])}
                 || {Pid, Name} <- lists:keysort(2, maps:to_list(Names))],
    Pending = [{Name, described(Operation, Name, State)}
               || {Name, {_, Operation}} <- lists:sort(maps:to_list(Asking))],
    {How, Processes, lists:reverse(Moves), Pending, Waiting, lists:reverse(Crashes)}.

rest(Pid) ->
    case process_info(Pid, dictionary) of
        {dictionary, Dictionary} -> elsewise_rt:pack(elsewise_rt:events_of(Dictionary));
        undefined -> <<>>
    end.

stack(Pid) ->
    case process_info(Pid, current_stacktrace) of
        {current_stacktrace, Stack} -> elsewise_rt:original(Stack);
        undefined -> []
    end.

queue(Pid) ->
    case process_info(Pid, messages) of
        {messages, Messages} -> [M || M <- Messages, not ours(M)];
        undefined -> []
    end.

ours({elsewise_go, _}) -> true;
ours(_) -> false.
