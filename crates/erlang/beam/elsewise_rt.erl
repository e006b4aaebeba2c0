%% What instrumented code calls where a call's way can only be told while it runs.
-module(elsewise_rt).
-export([o/3, c/3, a/2, a1/2, a2/3, apply/2, apply/3, stack/1]).
-export([table/0, set_table/2, inputs/1, original/1]).
-export([e/1, event/1, begin_events/0, take_events/0, forget_events/0, events_of/1, pack/1]).
-include("elsewise_events.hrl").
-compile({no_auto_import, [apply/2, apply/3]}).

%% The table of the VM: for a function, where calls of it go (or `primitive`); and the modules
%% that are instrumented. Both are the ones that the engine is given.
-type table() :: {#{mfa() => primitive | {module(), atom()}}, #{module() => true}}.

-spec set_table(map(), map()) -> ok.
set_table(Functions, Modules) ->
    Back = maps:from_list([{{M2, F2, A}, {M, F, A}} || {{M, F, A}, {M2, F2}} <- maps:to_list(Functions)]),
    persistent_term:put(elsewise_back, Back),
    persistent_term:put(elsewise_table, {Functions, Modules}).

-spec table() -> table().
table() ->
    persistent_term:get(elsewise_table, {#{}, #{}}).

%% A call of a function that nobody follows: its end is written down, whatever it is.
o(M, F, Args) ->
    event(o),
    try opaque(M, F, Args) of
        Value ->
            event({v, Value}),
            Value
    catch
        Class:Reason:Stack ->
            event({x, Class, Reason}),
            erlang:raise(Class, Reason, [Frame || Frame <- Stack, element(1, Frame) =/= ?MODULE])
    end.

%% The process dictionary has our key in it, which is none of the subject's.
opaque(erlang, get, []) -> theirs(get());
opaque(erlang, get_keys, []) -> [Key || {Key, _} <- theirs(get())];
opaque(erlang, erase, []) ->
    Theirs = theirs(get()),
    [erase(Key) || {Key, _} <- Theirs],
    Theirs;
opaque(M, F, Args) ->
    case elsewise_sched:operation(M, F, Args) of
        none -> erlang:apply(M, F, Args);
        Operation -> elsewise_sched:op(Operation)
    end.

theirs(Dictionary) ->
    [Pair || {Key, _} = Pair <- Dictionary, not ours(Key)].

ours(elw) -> true;
ours(elw_n) -> true;
ours(elw_s) -> true;
ours(elw_start) -> true;
ours({elsewise_fun, _}) -> true;
ours(_) -> false.

%% A stack is told like the result of an opaque call.
stack(Stack) ->
    Theirs = original(Stack),
    event(o),
    event({v, Theirs}),
    Theirs.

%% M:F(Args).
c(M, F, Args) when is_atom(M), is_atom(F) ->
    {Functions, Modules} = table(),
    Mfa = {M, F, length(Args)},
    case Functions of
        #{Mfa := primitive} -> erlang:apply(M, F, Args);
        #{Mfa := {M2, F2}} -> erlang:apply(M2, F2, Args);
        _ -> c(M, F, Args, Modules)
    end;
c(M, F, Args) ->
    o(M, F, Args).

c(erlang, apply, [F, Args], _) -> apply(F, Args);
c(erlang, apply, [M, F, Args], _) -> apply(M, F, Args);
c(M, module_info, Args, _) when length(Args) < 2 -> o(M, module_info, Args);
c(M, F, Args, Modules) when is_map_key(M, Modules) -> erlang:apply(M, F, Args);
c(M, F, Args, _) -> o(M, F, Args).

%% erlang:apply/2 and erlang:apply/3.
apply(F, Args) when is_function(F), length(Args) >= 0 -> a(F, Args);
apply(F, Args) -> o(erlang, apply, [F, Args]).

apply(M, F, Args) when length(Args) >= 0 -> c(M, F, Args);
apply(M, F, Args) -> o(erlang, apply, [M, F, Args]).

%% Application of a fun. What is no fun, or a fun of another arity, fails as it would without us.
a1(F, X) ->
    case way(F, 1) of
        plain -> F(X);
        opaque -> o(erlang, apply, [F, [X]]);
        {M, Name} -> c(M, Name, [X])
    end.

a2(F, X, Y) ->
    case way(F, 2) of
        plain -> F(X, Y);
        opaque -> o(erlang, apply, [F, [X, Y]]);
        {M, Name} -> c(M, Name, [X, Y])
    end.

a(F, Args) ->
    case way(F, length(Args)) of
        plain -> erlang:apply(F, Args);
        opaque -> o(erlang, apply, [F, Args]);
        {M, Name} -> c(M, Name, Args)
    end.

way(F, Arity) when is_function(F, Arity) ->
    {module, M} = erlang:fun_info(F, module),
    {_, Modules} = table(),
    case Modules of
        #{M := _} -> plain;
        _ when M =:= ?MODULE -> plain;
        _ ->
            case erlang:fun_info(F, type) of
                {type, external} ->
                    {name, Name} = erlang:fun_info(F, name),
                    {M, Name};
                {type, local} ->
                    opaque
            end
    end;
way(_, _) ->
    plain.

%% A stack with the names of copies and models as the subject calls them, and without our own.
-spec original([tuple()]) -> [tuple()].
original(Stack) ->
    Back = persistent_term:get(elsewise_back, #{}),
    [F || Frame <- Stack, not helper(element(1, F = original_frame(Frame, Back)))].

helper(M) -> lists:member(M, [?MODULE, elsewise_server, elsewise_models]).

original_frame({M, F, ArityOrArgs, Where} = Frame, Back) ->
    Arity = case is_list(ArityOrArgs) of
                true -> length(ArityOrArgs);
                false -> ArityOrArgs
            end,
    case Back of
        #{{M, F, Arity} := {M1, F1, _}} ->
            {M1, F1, ArityOrArgs, Where};
        _ ->
            case atom_to_list(M) of
                "elsewise_models@" ++ _ -> {elsewise_models, F, ArityOrArgs, Where};
                "elsewise@" ++ Name ->
                    [Module | _] = string:split(Name, "@"),
                    {list_to_atom(Module), F, ArityOrArgs, Where};
                _ -> Frame
            end
    end;
original_frame(Frame, _) ->
    Frame.

%% Events are in two places: the latest clauses in words in a cell (elsewise_cell), and all before
%% them, words and others, in a list, the newest first.

%% In the plain VM there are none, and the subject's dictionary is its own.
-spec begin_events() -> ok.
begin_events() ->
    case table() of
        {_, Modules} when map_size(Modules) =:= 0 -> ok;
        _ -> put(elw, []), elsewise_cell:new()
    end,
    ok.

%% A clause for which there is no room in the word, or whose number is too large for any.
-spec e(pos_integer()) -> term().
e(Id) when Id < ?SHIFT ->
    case get(elw_n) of
        Cell when element(2, Cell) < ?FULL ->
            elsewise_cell:keep(Cell, element(2, Cell), element(1, Cell), ?SHIFT + Id);
        {Word, ?FULL, A, B, C, D, E, F, G, H} = Cell ->
            put(elw, [Word, H, G, F, E, D, C, B, A | get(elw)]),
            elsewise_cell:reset(Cell, ?SHIFT + Id);
        undefined ->
            elsewise_cell:set(elsewise_cell:new(), ?SHIFT + Id)
    end;
e(Id) ->
    event({c, Id}).

%% What is no clause.
-spec event(term()) -> term().
event(Event) ->
    put(elw, [Event | settle()]).

settle() ->
    case get(elw_n) of
        Cell when is_tuple(Cell) ->
            Events = settled(Cell, get(elw)),
            elsewise_cell:reset(Cell, 1),
            Events;
        undefined ->
            get(elw)
    end.

%% What is in a cell comes after what is in the list.
settled(Cell, Events) when is_tuple(Cell) ->
    [Word, Full | Words] = tuple_to_list(Cell),
    Before = lists:reverse(lists:sublist(Words, Full), Events),
    case Word of
        1 -> Before;
        _ -> [Word | Before]
    end;
settled(_, Events) ->
    Events.

%% What this process has written since it was last asked, as bytes.
-spec take_events() -> binary().
take_events() ->
    Packed = pack(settle()),
    put(elw, []),
    Packed.

forget_events() ->
    erase(elw),
    erase(elw_n).

%% The events of another process, from its dictionary, newest first.
-spec events_of([{term(), term()}]) -> list().
events_of(Dictionary) ->
    settled(proplists:get_value(elw_n, Dictionary), proplists:get_value(elw, Dictionary, [])).

%% Events of a run, newest first as they were kept, as bytes in their order. Most are words, so
%% many are taken at a time; and the list is never turned round, which would take as much again.
-spec pack(list()) -> binary().
pack(Events) ->
    iolist_to_binary(pack(Events, [])).

pack([H, G, F, E, D, C, B, A | Rest], Packed)
  when is_integer(A), is_integer(B), is_integer(C), is_integer(D),
       is_integer(E), is_integer(F), is_integer(G), is_integer(H) ->
    pack(Rest, [<<A:64, B:64, C:64, D:64, E:64, F:64, G:64, H:64>> | Packed]);
pack([Word | Rest], Packed) when is_integer(Word) ->
    pack(Rest, [<<Word:64>> | Packed]);
pack([Event | Rest], Packed) ->
    Term = term_to_binary(Event),
    pack(Rest, [<<16#FFFFFFFF:32, (byte_size(Term)):32>>, Term | Packed]);
%% A subject that takes our key away leaves a list without a proper end.
pack(_, Packed) ->
    Packed.

%% Arguments as the engine sends them: funs stand in them by a description.
-spec inputs(term()) -> term().
inputs({'$elsewise', 'fun', Arity, Results}) -> input_fun(Arity, inputs(Results));
inputs([Head | Tail]) -> [inputs(Head) | inputs(Tail)];
inputs(Tuple) when is_tuple(Tuple) -> list_to_tuple([inputs(E) || E <- tuple_to_list(Tuple)]);
inputs(Map) when is_map(Map) ->
    maps:from_list([{inputs(K), inputs(V)} || {K, V} <- maps:to_list(Map)]);
inputs(Term) -> Term.

%% The k-th distinct list of arguments gives the k-th result.
answer(Key, Results, Args) ->
    Seen = case get(Key) of
               undefined -> [];
               List -> List
           end,
    case position(Args, Seen, 1) of
        none ->
            put(Key, Seen ++ [Args]),
            result(length(Seen) + 1, Results);
        K ->
            result(K, Results)
    end.

position(_, [], _) -> none;
position(Args, [Args | _], K) -> K;
position(Args, [_ | Rest], K) -> position(Args, Rest, K + 1).

result(_, []) -> ok;
result(_, [Last]) -> Last;
result(1, [Result | _]) -> Result;
result(K, [_ | Rest]) -> result(K - 1, Rest).

-define(ANSWER(Args), answer(Key, Results, Args)).
input_fun(Arity, Results) ->
    Key = {elsewise_fun, make_ref()},
    case Arity of
        0 -> fun() -> ?ANSWER([]) end;
        1 -> fun(A) -> ?ANSWER([A]) end;
        2 -> fun(A, B) -> ?ANSWER([A, B]) end;
        3 -> fun(A, B, C) -> ?ANSWER([A, B, C]) end;
        4 -> fun(A, B, C, D) -> ?ANSWER([A, B, C, D]) end;
        5 -> fun(A, B, C, D, E) -> ?ANSWER([A, B, C, D, E]) end;
        6 -> fun(A, B, C, D, E, F) -> ?ANSWER([A, B, C, D, E, F]) end;
        7 -> fun(A, B, C, D, E, F, G) -> ?ANSWER([A, B, C, D, E, F, G]) end;
        8 -> fun(A, B, C, D, E, F, G, H) -> ?ANSWER([A, B, C, D, E, F, G, H]) end;
        9 -> fun(A, B, C, D, E, F, G, H, I) -> ?ANSWER([A, B, C, D, E, F, G, H, I]) end
    end.
