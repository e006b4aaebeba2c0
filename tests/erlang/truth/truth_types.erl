%%% Types of specs in two directions: small values that a type has, and whether a value is of a type.
%%%
%%% Independent of the engine, and written for small subjects: the values are few, but they hold the
%%% constants that stand in the subject's own source, so that its special cases are among them.
-module(truth_types).
-export([environment/1, spec/2, values/3, member/3]).

-record(env, {types = #{}, records = #{}, specs = #{}, integers = [], atoms = [], texts = []}).

%% What the abstract code of a module declares, and its constants.
environment(Forms) ->
    Literals = lists:usort(literals(Forms)),
    Integers = [I || {integer, I} <- Literals],
    Near = lists:usort([I + D || I <- Integers, D <- [-1, 0, 1]]),
    Declared = lists:foldl(fun declare/2, #env{}, Forms),
    Declared#env{
        integers = unique([0, 1, -1, 2, 3] ++ Near ++ [7, -3, 255, 1000003]),
        atoms = unique([ok] ++ [A || {atom, A} <- Literals] ++ [other]),
        texts = [list_to_binary(T) || {string, T} <- Literals, lists:all(fun(C) -> C < 256 end, T)]}.

declare({attribute, _, Kind, {Name, Form, Vars}}, Env) when Kind =:= type; Kind =:= opaque ->
    Names = [V || {var, _, V} <- Vars],
    Env#env{types = (Env#env.types)#{{Name, length(Vars)} => {Names, Form}}};
declare({attribute, _, record, {Name, Fields}}, Env) ->
    Env#env{records = (Env#env.records)#{Name => [field(F) || F <- Fields]}};
declare({attribute, _, spec, {{_, F, A}, Clauses}}, Env) ->
    Env#env{specs = (Env#env.specs)#{{F, A} => Clauses}};
declare({attribute, _, spec, {{F, A}, Clauses}}, Env) ->
    Env#env{specs = (Env#env.specs)#{{F, A} => Clauses}};
declare(_, Env) ->
    Env.

field({typed_record_field, Field, Type}) -> {name(Field), Type};
field(Field) -> {name(Field), {type, 0, any, []}}.

name({record_field, _, {atom, _, Name}}) -> Name;
name({record_field, _, {atom, _, Name}, _}) -> Name.

literals({integer, _, I}) -> [{integer, I}];
literals({char, _, I}) -> [{integer, I}];
literals({op, _, '-', {integer, _, I}}) -> [{integer, -I}];
literals({atom, _, A}) -> [{atom, A}];
literals({string, _, S}) -> [{string, S}];
literals({attribute, _, Kind, _}) when Kind =:= file; Kind =:= module; Kind =:= export -> [];
literals(T) when is_tuple(T) -> literals(tuple_to_list(T));
literals([H | T]) -> literals(H) ++ literals(T);
literals(_) -> [].

unique(List) -> unique(List, #{}).

unique([], _) -> [];
unique([H | T], Seen) when is_map_key(H, Seen) -> unique(T, Seen);
unique([H | T], Seen) -> [H | unique(T, Seen#{H => true})].

%% Types of parameters and of the result; any term where there is no spec.
spec({F, A}, #env{specs = Specs}) ->
    case Specs of
        #{{F, A} := [{type, _, bounded_fun, [{type, _, 'fun', [{type, _, product, Args}, R]}, Bounds]} | _]} ->
            Bound = [{V, T} || {type, _, constraint, [_, [{var, _, V}, T]]} <- Bounds],
            {spec, [substitute(Arg, Bound) || Arg <- Args], substitute(R, Bound)};
        #{{F, A} := [{type, _, 'fun', [{type, _, product, Args}, R]} | _]} ->
            {spec, Args, R};
        #{} ->
            {none, lists:duplicate(A, {type, 0, any, []}), {type, 0, any, []}}
    end.

substitute({var, _, V} = Var, Bound) ->
    case lists:keyfind(V, 1, Bound) of
        {_, Type} -> Type;
        false -> Var
    end;
substitute(T, Bound) when is_tuple(T) -> list_to_tuple(substitute(tuple_to_list(T), Bound));
substitute([H | T], Bound) -> [substitute(H, Bound) | substitute(T, Bound)];
substitute(Other, _) -> Other.

%% About `Many` values of a type, the plainest first; none where the type is too deep.
values(Type, Many, Env) -> lists:sublist(values(Type, Many, Env, 3), Many).

values({ann_type, _, [_, T]}, N, Env, D) -> values(T, N, Env, D);
values({var, _, _}, N, Env, D) -> any(N, Env, D);
values({atom, _, A}, _, _, _) -> [A];
values({integer, _, I}, _, _, _) -> [I];
values({char, _, I}, _, _, _) -> [I];
values({op, _, _, _} = Op, _, _, _) -> [constant(Op)];
values({user_type, _, Name, Args}, N, Env, D) when D >= 0 ->
    values(expand(Name, Args, Env), N, Env, D - 1);
values({user_type, _, _, _}, _, _, _) -> [];
values({remote_type, L, [{atom, _, M}, {atom, _, T}, Args]}, N, Env, D) ->
    values(remote(M, T, Args, L), N, Env, D);
values({type, _, union, Types}, N, Env, D) ->
    Share = max(3, N div length(Types)),
    Each = [lists:sublist(values(T, Share, Env, D), Share) || T <- Types],
    lists:sublist(turns(Each), N);
values({type, _, range, [A, B]}, N, Env, _) ->
    {Low, High} = {constant(A), constant(B)},
    Known = [I || I <- Env#env.integers, I >= Low, I =< High],
    lists:sublist(unique(lists:sublist(Known, 1) ++ [Low, High] ++ Known), N);
values({type, _, Name, []}, N, Env, _) when
        Name =:= integer; Name =:= non_neg_integer; Name =:= pos_integer; Name =:= neg_integer ->
    Big = [1 bsl 70 + 5, -(1 bsl 70)],
    lists:sublist([I || I <- lists:sublist(Env#env.integers, max(3, N - 2)) ++ Big, of_kind(Name, I)], N);
values({type, L, byte, []}, N, Env, D) -> values(range(L, 0, 255), N, Env, D);
values({type, L, char, []}, N, Env, D) -> values(range(L, 0, 16#D7FF), N, Env, D);
values({type, L, arity, []}, N, Env, D) -> values(range(L, 0, 255), N, Env, D);
values({type, _, float, []}, N, Env, _) ->
    Near = [I / 1 || I <- Env#env.integers, abs(I) < 1 bsl 60],
    lists:sublist(unique([0.0, 0.5, 1.0, -1.5, 1.0e-9, 999.5, -1.0e300] ++ Near), N);
values({type, L, number, []}, N, Env, D) ->
    values({type, L, union, [{type, L, integer, []}, {type, L, float, []}]}, N, Env, D);
values({type, _, Name, []}, N, Env, _) when Name =:= atom; Name =:= module ->
    lists:sublist(Env#env.atoms, N);
values({type, _, Name, []}, _, _, _) when Name =:= boolean; Name =:= bool -> [false, true];
values({type, _, nil, []}, _, _, _) -> [[]];
values({type, _, Name, []}, N, Env, D) when Name =:= any; Name =:= term -> any(N, Env, D);
values({type, L, list, []}, N, Env, D) -> values({type, L, list, [{type, L, any, []}]}, N, Env, D);
values({type, _, list, [T]}, N, Env, D) -> lists(elements(T, N, Env, D), N);
values({type, _, nonempty_list, [T]}, N, Env, D) -> lists(elements(T, N, Env, D), N) -- [[]];
values({type, L, string, []}, N, Env, D) -> values({type, L, list, [{type, L, char, []}]}, N, Env, D);
values({type, L, nonempty_string, []}, N, Env, D) ->
    values({type, L, nonempty_list, [{type, L, char, []}]}, N, Env, D);
values({type, _, maybe_improper_list, [T, Tail]}, N, Env, D) ->
    Proper = lists(elements(T, N, Env, D), N),
    Tails = values(Tail, 6, Env, D - 1),
    turns([Proper, [List ++ End || List <- Proper, List =/= [], End <- Tails]]);
values({type, L, iolist, []}, N, Env, D) ->
    Item = {type, L, union, [{type, L, byte, []}, {type, L, binary, []}]},
    values({type, L, maybe_improper_list, [Item, {type, L, binary, []}]}, N, Env, D);
values({type, L, iodata, []}, N, Env, D) ->
    values({type, L, union, [{type, L, binary, []}, {type, L, iolist, []}]}, N, Env, D);
values({type, _, tuple, any}, N, Env, D) ->
    Some = any(6, Env, D - 2),
    [{}] ++ [list_to_tuple(L) || L <- lists(Some, N), L =/= []];
values({type, _, tuple, Types}, N, Env, D) ->
    [list_to_tuple(L) || L <- product([values(T, share(N, Types), Env, D - 1) || T <- Types], N)];
values({type, _, record, [{atom, _, Name} | Over]}, N, Env, D) ->
    Types = [overridden(Field, Over) || Field <- map_get(Name, Env#env.records)],
    Share = share(N, Types),
    [list_to_tuple([Name | L]) || L <- product([values(T, Share, Env, D - 1) || T <- Types], N)];
values({type, _, map, any}, N, Env, D) -> maps_of(any(4, Env, D - 2), any(4, Env, D - 2), N);
values({type, _, map, Fields}, N, Env, D) ->
    Parts = [part(Field, share(N, Fields), Env, D) || Field <- Fields],
    [lists:foldl(fun maps:merge/2, #{}, Chosen) || Chosen <- product(Parts, N)];
values({type, _, binary, []}, N, Env, _) -> binaries(N, Env);
values({type, _, bitstring, []}, N, Env, _) ->
    Binaries = binaries(N, Env),
    turns([Binaries, [<<B/bits, Bits/bits>> || B <- Binaries, Bits <- [<<1:1>>, <<5:3>>, <<4:4>>]]]);
values({type, _, binary, [M, U]}, N, Env, _) ->
    [B || B <- binaries(N * 4, Env), sized(B, constant(M), constant(U))];
values({type, _, 'fun', [{type, _, product, Args}, R]}, _, Env, D) ->
    functions(length(Args), values(R, 6, Env, D - 1));
values({type, _, Name, _}, _, Env, D) when Name =:= 'fun'; Name =:= function ->
    functions(1, any(4, Env, D - 2)) ++ functions(2, any(2, Env, D - 2)).

part({type, _, map_field_exact, [K, V]}, N, Env, D) ->
    case K of
        {atom, _, Key} -> [#{Key => Value} || Value <- values(V, N, Env, D - 1)];
        _ -> maps_of(values(K, 4, Env, D - 1), values(V, 4, Env, D - 1), N) -- [#{}]
    end;
part({type, _, map_field_assoc, [K, V]}, N, Env, D) ->
    case K of
        {atom, _, Key} -> [#{} | [#{Key => Value} || Value <- values(V, N, Env, D - 1)]];
        _ -> maps_of(values(K, 4, Env, D - 1), values(V, 4, Env, D - 1), N)
    end.

%% Maps of up to three of these keys.
maps_of(Keys, Values, N) ->
    Lists = [L || L <- product([[none | [{K, V} || V <- Values]] || K <- lists:sublist(Keys, 3)], N * 2)],
    lists:sublist(unique([maps:from_list(L -- lists:duplicate(3, none)) || L <- Lists]), N).

elements(T, N, Env, D) -> values(T, N, Env, D - 1).

%% Lists of up to five elements, fewer values the longer they are.
lists(Elements, N) ->
    Of = fun(Length, Some) -> product(lists:duplicate(Length, lists:sublist(Elements, Some)), N) end,
    unique([[]] ++ turns([Of(1, N), Of(2, root(N, 2)), Of(3, root(N, 3)), Of(4, 3), Of(5, 2)])).

root(N, 2) -> trunc(math:sqrt(N)) + 2;
root(N, 3) -> trunc(math:pow(N, 1 / 3)) + 2.

share(N, Types) when length(Types) < 2 -> N;
share(N, Types) -> max(3, trunc(math:pow(N, 1 / length(Types))) + 2).

%% Texts of the source and single bytes, one to four of them behind each other.
binaries(N, Env) ->
    Bytes = unique([<<0>>, <<1>>] ++ [<<I>> || I <- Env#env.integers, I >= 0, I < 256] ++ [<<"a">>, <<"7">>]),
    Chunks = Env#env.texts ++ lists:sublist(Bytes, 40),
    unique([<<>>] ++ [list_to_binary(L) || L <- lists(Chunks, N)] ++ [<<16#FFFFFFFF:32>>, <<"a", 255>>]).

%% Functions that always give one result, and one whose results depend on the arguments.
functions(_, []) -> [];
functions(Arity, Results) ->
    Number = length(Results),
    Tell = fun(Args) -> lists:nth(1 + erlang:phash2(Args, Number), Results) end,
    [function(Arity, fun(_) -> R end) || R <- Results] ++ [function(Arity, Tell)].

function(0, Tell) -> fun() -> Tell([]) end;
function(1, Tell) -> fun(A) -> Tell([A]) end;
function(2, Tell) -> fun(A, B) -> Tell([A, B]) end;
function(3, Tell) -> fun(A, B, C) -> Tell([A, B, C]) end.

any(N, Env, D) when D < 0 -> lists:sublist([0, [] | Env#env.atoms], N);
any(N, Env, _) ->
    Small = lists:sublist([[], 0, <<>>, {}, 1.5, #{}, 1 | Env#env.atoms] ++ Env#env.integers, N),
    Some = lists:sublist(Env#env.atoms, 12) ++ [0, 2, []],
    Tuples = [{A, B} || A <- Some, B <- Some] ++ [{A, B, C} || A <- Some, B <- Some, C <- Some],
    lists:sublist(turns([Small, [list_to_tuple(L) || L <- lists(Some, N), L =/= []] ++ Tuples,
                         lists(Some, N div 4 + 1)]), max(N, 3)).

%% One of each list in turn.
turns(Lists) ->
    case [L || L <- Lists, L =/= []] of
        [] -> [];
        Some -> [H || [H | _] <- Some] ++ turns([T || [_ | T] <- Some])
    end.

%% At most about N ways to take one of each, the first ones first.
product(Lists, N) -> lists:sublist(product(Lists), N).

product([]) -> [[]];
product([L | Rest]) ->
    Tails = product(Rest),
    [[H | T] || H <- L, T <- Tails].

%% Is a value of a type?
member(V, Type, Env) -> is(Type, V, Env).

is({ann_type, _, [_, T]}, V, Env) -> is(T, V, Env);
is({var, _, _}, _, _) -> true;
is({atom, _, A}, V, _) -> V =:= A;
is({Kind, _, I}, V, _) when Kind =:= integer; Kind =:= char -> V =:= I;
is({op, _, _, _} = Op, V, _) -> V =:= constant(Op);
is({user_type, _, Name, Args}, V, Env) -> is(expand(Name, Args, Env), V, Env);
is({remote_type, L, [{atom, _, M}, {atom, _, T}, Args]}, V, Env) -> is(remote(M, T, Args, L), V, Env);
is({type, _, union, Types}, V, Env) -> lists:any(fun(T) -> is(T, V, Env) end, Types);
is({type, _, range, [A, B]}, V, _) -> is_integer(V) andalso V >= constant(A) andalso V =< constant(B);
is({type, _, Name, []}, V, _) when
        Name =:= integer; Name =:= non_neg_integer; Name =:= pos_integer; Name =:= neg_integer ->
    is_integer(V) andalso of_kind(Name, V);
is({type, _, byte, []}, V, _) -> is_integer(V) andalso V >= 0 andalso V < 256;
is({type, _, char, []}, V, _) -> is_integer(V) andalso V >= 0 andalso V =< 16#10FFFF;
is({type, _, float, []}, V, _) -> is_float(V);
is({type, _, number, []}, V, _) -> is_number(V);
is({type, _, Name, []}, V, _) when Name =:= atom; Name =:= module -> is_atom(V);
is({type, _, Name, []}, V, _) when Name =:= boolean; Name =:= bool -> is_boolean(V);
is({type, _, nil, []}, V, _) -> V =:= [];
is({type, _, Name, []}, _, _) when Name =:= any; Name =:= term -> true;
is({type, _, pid, []}, V, _) -> is_pid(V);
is({type, _, list, []}, V, _) -> is_list(V);
is({type, _, list, [T]}, V, Env) -> all(T, V, Env);
is({type, _, nonempty_list, [T]}, V, Env) -> V =/= [] andalso all(T, V, Env);
is({type, L, string, []}, V, Env) -> all({type, L, char, []}, V, Env);
is({type, L, nonempty_string, []}, V, Env) -> V =/= [] andalso all({type, L, char, []}, V, Env);
is({type, _, iolist, []}, V, _) -> is_list(V) andalso (catch iolist_size(V)) >= 0;
is({type, _, tuple, any}, V, _) -> is_tuple(V);
is({type, _, tuple, Types}, V, Env) ->
    is_tuple(V) andalso tuple_size(V) =:= length(Types) andalso each(Types, tuple_to_list(V), Env);
is({type, _, record, [{atom, _, Name} | Over]}, V, Env) ->
    Types = [overridden(Field, Over) || Field <- map_get(Name, Env#env.records)],
    is_tuple(V) andalso tuple_size(V) =:= 1 + length(Types) andalso element(1, V) =:= Name
        andalso each(Types, tl(tuple_to_list(V)), Env);
is({type, _, map, any}, V, _) -> is_map(V);
is({type, _, map, Fields}, V, Env) ->
    Covered = fun(Key, Value) ->
        lists:any(fun({type, _, _, [K, T]}) -> is(K, Key, Env) andalso is(T, Value, Env) end, Fields)
    end,
    Needed = [K || {type, _, map_field_exact, [K, _]} <- Fields],
    is_map(V)
        andalso lists:all(fun({Key, Value}) -> Covered(Key, Value) end, maps:to_list(V))
        andalso lists:all(fun(K) -> lists:any(fun(Key) -> is(K, Key, Env) end, maps:keys(V)) end, Needed);
is({type, _, binary, []}, V, _) -> is_binary(V);
is({type, _, bitstring, []}, V, _) -> is_bitstring(V);
is({type, _, binary, [M, U]}, V, _) -> is_bitstring(V) andalso sized(V, constant(M), constant(U));
is({type, _, 'fun', [{type, _, product, Args}, _]}, V, _) -> is_function(V, length(Args));
is({type, _, Name, _}, V, _) when Name =:= 'fun'; Name =:= function -> is_function(V).

all(_, [], _) -> true;
all(T, [H | Rest], Env) -> is(T, H, Env) andalso all(T, Rest, Env);
all(_, _, _) -> false.

each(Types, Values, Env) -> lists:all(fun({T, V}) -> is(T, V, Env) end, lists:zip(Types, Values)).

of_kind(integer, _) -> true;
of_kind(non_neg_integer, I) -> I >= 0;
of_kind(pos_integer, I) -> I > 0;
of_kind(neg_integer, I) -> I < 0.

sized(B, M, 0) -> bit_size(B) =:= M;
sized(B, M, U) -> bit_size(B) >= M andalso (bit_size(B) - M) rem U =:= 0.

overridden({Name, Type}, Over) ->
    case [T || {type, _, field_type, [{atom, _, N}, T]} <- Over, N =:= Name] of
        [Other] -> Other;
        [] -> Type
    end.

expand(Name, Args, #env{types = Types}) ->
    {Vars, Form} = map_get({Name, length(Args)}, Types),
    substitute(Form, lists:zip(Vars, Args)).

remote('Elixir.String', t, [], L) -> {type, L, binary, []}.

range(L, A, B) -> {type, L, range, [{integer, L, A}, {integer, L, B}]}.

constant({integer, _, I}) -> I;
constant({char, _, I}) -> I;
constant({op, _, '-', T}) -> -constant(T);
constant({op, _, Op, A, B}) -> erlang:Op(constant(A), constant(B)).
