%% Places where an instrumented program could differ from the plain one.
-module(traps).
-compile([nowarn_shadow_vars, nowarn_unused_vars]).
-export([map_update/2, map_exact/1, map_nested/1, map_key/2, guards/2, guard_fails/1, guard_or/2]).
-export([selective/1, timed/1, mailbox/2, infinity/0, forever/1, nested_receive/0, binary_receive/1]).
-export([tries/1, afters/1, nested/1, rethrow/1, catches/1, stack/1, reraise/1, try_of/1, in_try/1]).
-export([count/1, sum/2, even/1, mutual/1, through_fun/1, build/1]).
-export([floats/1, bigs/1, comprehensions/1, binary_comprehension/1, bits/1, sized/1, strings/1]).
-export([records/1, record_update/1, funs/2, named/1, external/2, applied/3, dynamic/3, arity/1]).
-export([matches/1, cases/1, ifs/1, letrec_goto/1, dictionary/0, printed/1, closures/1, badfun/1]).
-export([opaque_callback/1, sorted/1, mapped/1, local_fun/1, calls_exported/1, shadows/1, order/1]).
-export([sized_receive/1, exported/1, spawned/1, info/0, booleans/2, aliases/1, alias_of_map/1, utf/1, deep/1]).
-record(point, {x = 0 :: integer(), y}).

map_update(M, V) -> M#{a => V, b => 2}.
map_exact(M) -> M#{a := 1}.
map_nested(M) -> (M#{x => #{y => 1}})#{z => maps:size(M#{q => 1})}.
map_key(M, K) ->
    case M of
        #{K := V, {k, K} := W} -> {both, V, W};
        #{K := V} -> {one, V};
        #{} -> none;
        _ -> no_map
    end.

guards(X, Y) when X > 1 andalso Y < 2; is_list(X) orelse Y == 3 -> {first, X, Y};
guards(X, Y) when is_tuple(X), element(1, X) =:= Y -> second;
guards(X, _) when is_record(X, point), X#point.x > 3 -> point;
guards(#{k := V}, Y) when V =:= Y -> map;
guards(_, _) -> none.

guard_fails(X) when hd(X) =:= 1 -> one;
guard_fails(X) when length(X) > 2 -> long;
guard_fails(X) when map_get(a, X) -> a;
guard_fails(_) -> other.

guard_or(X, Y) when X; Y -> some;
guard_or(X, Y) when X and Y; not X -> strange;
guard_or(_, _) -> none.

selective(Wanted) ->
    [self() ! M || M <- [{a, 1}, b, {c, 2}, Wanted, d]],
    Got = receive
              {c, X} when X > 1 -> {got_c, X}
          end,
    Second = receive Wanted -> got_wanted end,
    {Got, Second, element(2, process_info(self(), messages))}.

timed(T) ->
    self() ! noise,
    R = receive
            {never, X} -> X
        after T -> timeout
        end,
    {R, receive after 1 -> waited end, element(2, process_info(self(), messages))}.

mailbox(Messages, Limit) ->
    [self() ! M || M <- Messages],
    take(Limit, []).

take(Limit, Taken) ->
    receive
        N when is_integer(N), N < Limit -> take(Limit, [N | Taken]);
        {stop, Why} -> {stopped, Why, Taken};
        [_ | _] = L -> take(Limit, L ++ Taken)
    after 0 ->
        {Taken, element(2, process_info(self(), messages))}
    end.

infinity() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive X -> X after infinity -> never end.

forever(true) -> receive after infinity -> ok end;
forever(false) -> done.

nested_receive() ->
    self() ! 1,
    self() ! {a, 2},
    receive {a, X} -> receive Y -> {X, Y} after 0 -> none end end.

binary_receive(Message) ->
    self() ! Message,
    receive
        <<"x", Rest/binary>> -> {x, Rest};
        #{key := V} -> {key, V};
        Other -> {other, Other}
    end.

%% A size that comes from the message itself: this function is opaque as a whole.
sized_receive(Message) ->
    self() ! noise,
    self() ! Message,
    R = receive
            {udp, <<Length, Data:Length/binary, Rest/binary>>} -> {count(Length), Data, Rest};
            {tcp, X} -> {X}
        after 5 -> none
        end,
    {R, element(2, process_info(self(), messages))}.

tries(F) ->
    try hd(F) of
        1 -> one;
        X when X > 2 -> {big, X}
    catch
        error:badarg -> badarg;
        error:{try_clause, _} -> never;
        throw:T -> {thrown, T}
    end.

afters(X) ->
    put(log, []),
    R = try
            try
                put(log, [body | get(log)]),
                case X of
                    throw -> throw(x);
                    error -> error(x);
                    exit -> exit(x);
                    _ -> X
                end
            after
                put(log, [after_inner | get(log)])
            end
        catch
            C:E -> {C, E}
        after
            put(log, [after_outer | get(log)])
        end,
    {R, lists:reverse(get(log))}.

nested(X) ->
    try
        try X() catch throw:a -> caught_a end
    catch
        throw:b -> caught_b;
        C:R -> {C, R}
    end.

rethrow(X) ->
    try error(X) catch error:R when R =/= pass -> throw({again, R}) end.

reraise(X) ->
    try in_try(X) catch C:R:S -> erlang:raise(C, {wrapped, R}, S) end.

in_try(X) -> 1 + inner(X).
inner(X) when X > 0 -> X;
inner(X) -> error({inner, X}).

catches(X) ->
    {catch inner(1), element(1, catch throw(X)), catch exit(X),
     case catch inner(X) of
         {'EXIT', {Reason, Stack}} -> {Reason, [{M, F, A} || {M, F, A, _} <- Stack, M =:= ?MODULE]};
         V -> V
     end}.

stack(X) ->
    try {ok, in_try(X)}
    catch error:R:S -> {R, [{M, F, A} || {M, F, A, _} <- S, M =:= ?MODULE]}
    end.

try_of(X) ->
    try X of
        {ok, V} -> V
    catch
        _:_ -> never
    end.

count(0) -> done;
count(N) -> count(N - 1).

sum([H | T], Acc) -> sum(T, Acc + H);
sum([], Acc) -> Acc.

even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> even(N - 1).

mutual(N) ->
    F = fun Loop(0, G) -> G(end_of_it);
            Loop(M, G) -> Loop(M - 1, G) end,
    F(N, fun(X) -> {X, N} end).

through_fun(N) -> through(fun(X) -> X - 1 end, N).
through(_, 0) -> done;
through(F, N) -> through(F, F(N)).

build(0) -> [];
build(N) -> [N | build(N - 1)].

floats(X) -> {X =:= -0.0, X == 0, -X, X * 1.5, X / 2, [X], float(round(X)), trunc(X), 1 / (X + 1)}.
bigs(X) -> {X * X, X bsl 70, X bsr 3, -X, X div 7, X rem 7, X band 255, bnot X, X bxor -1, abs(X)}.

comprehensions(L) ->
    {[X * 2 || X <- L, X > 1, X rem 2 =:= 0],
     [{X, Y} || X <- L, Y <- [a, b]],
     [V || {ok, V} <- L],
     [B || <<B:4>> <- list_to_binary([X || X <- L, is_integer(X), X >= 0, X < 256])]}.

binary_comprehension(L) ->
    {<< <<X:16>> || X <- L >>, << <<X:3, 1:1>> || X <- L, X > 2 >>,
     << <<B:2>> || <<B:8/signed>> <= << <<X>> || X <- L >>, B < 100 >>}.

bits(<<1:1, Rest/bitstring>>) -> {one, Rest};
bits(<<N:4, B:N/binary, Rest/bitstring>>) -> {N, B, Rest};
bits(<<F:32/float-little, _/binary>>) -> {f, F};
bits(<<"GET ", Path/binary>>) -> {get, Path};
bits(<<>>) -> empty;
bits(B) when bit_size(B) > 3 -> {long, bit_size(B)};
bits(_) -> other.

sized(<<S, T:S, _/bitstring>>) when T > 3 -> T;
sized(<<S:8, U:8, B:U/binary-unit:4, R/bits>>) -> {S, U, B, R};
sized(#{a := K} = M) when is_map_key(K, M) -> map_get(K, M);
sized(X) -> {other, X}.

strings("abc" ++ Rest) -> Rest;
strings([$x, Y | _]) -> Y;
strings(_) -> none.

records(#point{x = X, y = undefined}) -> {no_y, X};
records(#point{} = P) -> P#point.x + P#point.y;
records(X) -> X#point.x.
record_update(P) -> Q = P#point{x = 5}, {Q, Q#point.y, #point{y = 1}, #point.y}.

funs(F, X) -> F(F(X)).
named(N) -> F = fun Fact(0) -> 1; Fact(K) -> K * Fact(K - 1) end, F(N).
external(F, L) -> G = fun lists:map/2, {G(F, L), (fun erlang:length/1)(L), (fun ?MODULE:count/1)(3)}.
applied(M, F, A) -> {apply(M, F, A), apply(fun(X) -> {X} end, [A])}.
dynamic(M, F, X) -> M:F(X).
arity(F) -> F(1, 2).
badfun(F) -> F(1).
closures(N) -> Fs = [fun(X) -> X + Y end || Y <- lists:seq(1, N)], [F(10) || F <- Fs].

matches(X) -> {A, [B | _]} = X, A = B, {A, B}.
cases(X) -> case X of {a, Y} when Y > 1 -> Y; [Y] -> {list, Y}; <<Y>> -> {byte, Y} end.
ifs(X) -> if X > 5 -> big; X < 0 -> small; X =:= 3 -> three end.
letrec_goto(X) ->
    case X of
        #{{k, 1} := V, a := A} when V > A -> {map, V};
        <<S, T:S, U:T/binary>> -> {T, U};
        {K, _} when is_atom(K); K > 3 -> {pair, K};
        _ -> other
    end.

dictionary() ->
    put(mine, 1),
    Before = {get(), get_keys(), get(mine)},
    put(mine, 2),
    {Before, erase(), get(), count(2), get()}.

printed(X) -> io:format("~p~n", [X]), io_lib:format("~p", [X]).

opaque_callback(L) -> {lists:usort(fun(A, B) -> A >= B end, L), ets_fold(L)}.
ets_fold(L) ->
    T = ets:new(t, []),
    [ets:insert(T, {X, {X}}) || X <- L],
    lists:sort(ets:foldl(fun({X, _}, Acc) -> [X | Acc] end, [], T)).

sorted(L) -> {lists:sort(L), lists:keysort(1, [{X} || X <- L]), lists:usort(L), lists:reverse(L)}.
mapped(M) -> {maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], M), maps:map(fun(_, V) -> {V} end, M),
              maps:filter(fun(_, V) -> V > 1 end, M), maps:to_list(M), maps:merge(M, #{z => 1})}.
local_fun(L) -> {lists:map(fun count/1, L), lists:foldl(fun add/2, 0, L)}.
add(X, Y) -> X + Y.
calls_exported(X) -> {?MODULE:exported(X), exported(X)}.
exported(X) -> {exported, X}.
shadows(X) -> F = fun(X) -> [X || X <- [X, X + 1]] end, {F(X + 1), X}.
order(X) -> put(order, []), R = {log(1, X), [log(2, X) | log(3, X)], log(4, X) + log(5, X)},
            {R, get(order)}.
log(N, X) -> put(order, [N | get(order)]), N + X.

spawned(X) ->
    Self = self(),
    Pid = spawn(fun() -> receive {From, Y} -> From ! {result, Y + X} end end),
    Pid ! {Self, 1},
    receive {result, R} -> R after 5000 -> none end.

info() ->
    F = fun module_info/1,
    {?MODULE:module_info(module), is_list(module_info(exports)), F(module)}.
booleans(X, Y) -> {X andalso Y, X orelse Y, not X, X and Y, X or Y, X xor Y}.
aliases({A, _} = [_ | _] = X) -> {A, X};
aliases([A | _] = X = [_, B]) -> {A, B, X};
aliases({A, B = {C, _}} = D) -> {A, B, C, D};
aliases(_) -> none.
alias_of_map(#{a := A} = #{b := B} = M) -> {A, B, M};
alias_of_map(_) -> none.
utf(<<C/utf8, R/binary>>) -> {C, <<(C + 1)/utf16>>, <<C/utf32>>, utf(R)};
utf(<<>>) -> [];
utf(X) -> {rest, X}.
deep([X | Rest]) when is_list(X) -> deep(X) ++ deep(Rest);
deep([X | Rest]) -> [X | deep(Rest)];
deep([]) -> [].
