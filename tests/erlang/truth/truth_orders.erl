%%% Subjects with processes, run in every order of what their processes do to each other.
%%%
%%% Before each send (and whatever else another process can notice) a process asks for its turn. Once all of
%%% them ask, wait for a message or have ended, one is let go on; each run follows another sequence of such
%%% decisions, depth first, until there is none left. Operations on different mailboxes are not exchanged
%%% (sleep sets), which leaves out most runs that nobody could tell apart. A `receive` with a time is an
%%% operation as well: what is not there when its turn comes has come too late.
-module(truth_orders).
-export([load/2, explore/2, plain/1]).
-export([turn/1, started/2]).

%% Compiles and loads a subject that asks for turns; the forms as they were, and whether ends are noticed.
load(File, Options) ->
    Macros = [Macro || {d, Macro} <- Options],
    {ok, Forms} = epp:parse_file(File, [{macros, Macros}]),
    {ok, Module, Binary} = compile:forms(asking(Forms), [binary, report]),
    code:purge(Module),
    {module, Module} = code:load_binary(Module, File, Binary),
    {Module, Forms, calls_any(Forms, [monitor, spawn_monitor, spawn_link, register])}.

calls_any({call, _, {atom, _, Name}, Args}, Names) -> lists:member(Name, Names) orelse calls_any(Args, Names);
calls_any(T, Names) when is_tuple(T) -> calls_any(tuple_to_list(T), Names);
calls_any([H | T], Names) -> calls_any(H, Names) orelse calls_any(T, Names);
calls_any(_, _) -> false.

asking({op, L, '!', To, What}) ->
    {To1, What1} = {asking(To), asking(What)},
    %% Both sides are evaluated before the turn is asked for.
    Number = erlang:unique_integer([positive]),
    [A, B] = [{var, L, list_to_atom(lists:concat(["@", Side, Number]))} || Side <- [to, what]],
    Bound = [{match, L, A, To1}, {match, L, B, What1}],
    {block, L, Bound ++ [turn(L, {tuple, L, [{atom, L, send}, A]}), {op, L, '!', A, B}]};
asking({'receive', L, Clauses, {atom, _, infinity}, _}) -> asking({'receive', L, Clauses});
asking({'receive', L, Clauses, Time, Body}) ->
    %% Only a time that is a number ends.
    Waits = {clause, L, [{atom, L, infinity}], [], [{'receive', L, asking(Clauses)}]},
    Ends = {clause, L, [{var, L, '_'}], [],
            [turn(L, {atom, L, own}), {'receive', L, asking(Clauses), {integer, L, 0}, asking(Body)}]},
    {'case', L, asking(Time), [Waits, Ends]};
asking({call, L, {atom, A, Name}, Args}) ->
    Args1 = asking(Args),
    Call = {call, L, {atom, A, Name}, Args1},
    About = fun(Object) -> {block, L, [turn(L, Object), Call]} end,
    case {Name, Args1} of
        {_, [Fun]} when Name =:= spawn; Name =:= spawn_link; Name =:= spawn_monitor ->
            {call, L, {remote, L, {atom, L, ?MODULE}, {atom, L, started}}, [{atom, L, Name}, Fun]};
        {monitor, [_, Pid]} -> About({tuple, L, [{atom, L, process}, Pid]});
        {exit, [Pid, _]} -> About({tuple, L, [{atom, L, process}, Pid]});
        {process_flag, _} -> About({atom, L, links});
        {_, _} when Name =:= register; Name =:= whereis -> About({atom, L, names});
        _ -> Call
    end;
asking({attribute, _, _, _} = Attribute) -> Attribute;
asking(T) when is_tuple(T) -> list_to_tuple(asking(tuple_to_list(T)));
asking([H | T]) -> [asking(H) | asking(T)];
asking(Other) -> Other.

turn(L, Object) -> {call, L, {remote, L, {atom, L, ?MODULE}, {atom, L, turn}}, [Object]}.

%% In a process of the subject: waits until it may do something to the object.
turn(Object) ->
    {Master, Name, _} = get(truth_orders),
    Master ! {turn, self(), Name, Object},
    receive {?MODULE, go} -> ok end.

%% In a process of the subject: starts another one.
started(How, Fun) ->
    {Master, Name, Ends} = get(truth_orders),
    Count = case get(truth_count) of undefined -> 1; N -> N + 1 end,
    put(truth_count, Count),
    Child = Name ++ [Count],
    Result = erlang:How(fun() ->
        put(truth_orders, {Master, Child, Ends}),
        try Fun() catch Class:Reason:Stack when Ends -> turn(ends), erlang:raise(Class, Reason, Stack) end,
        Ends andalso turn(ends)
    end),
    Pid = case Result of {P, _} -> P; P -> P end,
    Master ! {new, Pid, Child},
    Result.

-record(node, {chosen, objects, todo, done = [], sleep}).

%% Outcomes by what differs in the orders of messages or in the end, and whether that is all of them.
explore({Call, Ends}, Most) -> explore(Call, Ends, [], #{}, Most).

explore(_, _, _, Seen, 0) -> {cut, Seen};
explore(Call, Ends, Prefix, Seen, Left) ->
    {Nodes, End} = run(Call, Ends, Prefix),
    More = case End of
        asleep -> Seen;
        {Arrivals, Outcome} -> Seen#{{Arrivals, plain(Outcome)} => Outcome}
    end,
    case back(lists:reverse(Nodes)) of
        [] -> {all, More};
        Next -> explore(Call, Ends, lists:reverse(Next), More, Left - 1)
    end.

%% The decisions of the next run: the last one that has an alternative takes it.
back([]) -> [];
back([#node{todo = []} | Rest]) -> back(Rest);
back([#node{chosen = Name, objects = Objects, done = Done, todo = [{Next, Other} | Todo]} = Node | Rest]) ->
    [Node#node{chosen = Next, objects = Other, todo = Todo, done = [{Name, Objects} | Done]} | Rest].

-record(state, {main, procs, pending = #{}, arrivals = #{}, sent = #{}, outcome = none, nodes = [],
                sleep = []}).

run(Call, Ends, Prefix) ->
    Master = self(),
    {Main, Monitor} = spawn_monitor(fun() ->
        put(truth_orders, {Master, [], Ends}),
        Master ! {outcome, try {ok, Call()} catch Class:Reason:Stack -> {exception, Class, Reason, Stack} end}
    end),
    {End, State} = steps(Prefix, #state{procs = #{[] => Main}, main = Monitor}),
    Pids = maps:values(State#state.procs),
    [exit(Pid, kill) || Pid <- Pids],
    gone(Pids),
    demonitor(Monitor, [flush]),
    flush(),
    {lists:reverse(State#state.nodes), End}.

gone(Pids) ->
    case lists:any(fun is_process_alive/1, Pids) of
        true -> erlang:yield(), gone(Pids);
        false -> ok
    end.

flush() -> receive _ -> flush() after 0 -> ok end.

steps(Prefix, Before) ->
    #state{procs = Procs, pending = Pending, sleep = Sleep} = State = quiet(Before),
    Asking = lists:sort(maps:to_list(Pending)),
    Alive = [One || {Name, _} = One <- Asking, is_process_alive(map_get(Name, Procs))],
    Enabled = [{Name, objects(Object, Name, Procs)} || {Name, Object} <- Alive],
    case {Enabled, Prefix} of
        {[], []} ->
            Outcome = case State#state.outcome of none -> waits; Other -> Other end,
            {{State#state.arrivals, Outcome}, State};
        {_, [Node | Rest]} ->
            step(Node, Rest, State);
        _ ->
            case [One || {Name, _} = One <- Enabled, not lists:keymember(Name, 1, Sleep)] of
                [] -> {asleep, State};
                [{Name, Objects} | Todo] ->
                    step(#node{chosen = Name, objects = Objects, todo = Todo, sleep = Sleep}, [], State)
            end
    end.

step(#node{chosen = Name, objects = Objects, done = Done, sleep = Asleep} = Node, Rest, State) ->
    #state{procs = Procs, pending = Pending, arrivals = Arrivals, sent = Sent, nodes = Nodes} = State,
    Number = maps:get(Name, Sent, 0) + 1,
    Log = case map_get(Name, Pending) of
        {send, _} ->
            [{mail, To} | _] = Objects,
            Arrivals#{To => maps:get(To, Arrivals, []) ++ [{Name, Number}]};
        _ -> Arrivals
    end,
    map_get(Name, Procs) ! {?MODULE, go},
    Sleep = [One || {Other, About} = One <- Asleep ++ Done, Other =/= Name, About -- Objects =:= About],
    steps(Rest, State#state{
        pending = maps:remove(Name, Pending), arrivals = Log, sent = Sent#{Name => Number},
        nodes = [Node | Nodes], sleep = Sleep}).

%% What an operation is about: mailboxes, whether a process lives, who is linked, the table of names. Two
%% operations that have nothing in common may as well come in the other order.
objects(Operation, Name, Procs) -> about(Operation, Name, Procs) ++ [{life, Name}].

about(names, _, _) -> [names];
about(links, _, _) -> [links];
about(own, Name, _) -> [{mail, Name}];
about(ends, Name, _) -> [{mail, Name}, links, names];
about({send, To}, _, Procs) -> [{mail, named(To, Procs)}];
about({process, Pid}, _, Procs) -> [{life, named(Pid, Procs)}].

named(To, Procs) when is_atom(To) -> named(whereis(To), Procs);
named(To, Procs) ->
    case [Name || {Name, Pid} <- maps:to_list(Procs), Pid =:= To] of
        [Name] -> Name;
        [] -> stranger
    end.

%% All processes ask, wait or have ended, and what they said has been heard.
quiet(State) ->
    receive
        Message -> quiet(heard(Message, State))
    after 0 ->
        %% They are not looked at all at once: none may have moved between two looks.
        Pids = maps:values(State#state.procs),
        First = [rests(Pid) || Pid <- Pids],
        Second = [rests(Pid) || Pid <- Pids],
        Quiet = First =:= Second andalso not lists:member(false, First),
        receive
            Message -> quiet(heard(Message, State))
        after 0 ->
            case Quiet of
                true -> State;
                false -> erlang:yield(), quiet(State)
            end
        end
    end.

heard({new, Pid, Name}, #state{procs = Procs} = State) ->
    State#state{procs = Procs#{Name => Pid}};
heard({turn, Pid, Name, Object}, #state{procs = Procs, pending = Pending} = State) ->
    State#state{procs = Procs#{Name => Pid}, pending = Pending#{Name => Object}};
heard({outcome, Outcome}, State) ->
    State#state{outcome = Outcome};
heard({'DOWN', Monitor, process, _, Reason}, #state{main = Monitor, outcome = none} = State) ->
    State#state{outcome = {exception, exit, Reason, []}};
heard({'DOWN', Monitor, process, _, _}, #state{main = Monitor} = State) ->
    State.

%% False of a process that does something; else what differs once it has done something.
rests(Pid) ->
    case process_info(Pid, [status, reductions]) of
        %% Links and monitors hear of it before it is gone.
        undefined -> not lists:member(Pid, processes());
        [{status, waiting}, {reductions, Reductions}] -> Reductions;
        _ -> false
    end.

%% An outcome without what differs from run to run.
plain({exception, Class, Reason, _}) -> {Class, without_stack(Reason)};
plain(Outcome) -> without_stack(Outcome).

without_stack(T) when is_pid(T); is_reference(T) -> other;
without_stack({Reason, [{_, _, _, _} | _]}) -> without_stack(Reason);
without_stack(T) when is_tuple(T) -> list_to_tuple(without_stack(tuple_to_list(T)));
without_stack([H | T]) -> [without_stack(H) | without_stack(T)];
without_stack(T) -> T.
