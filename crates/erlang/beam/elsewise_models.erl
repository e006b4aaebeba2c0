%% BIFs that are loops, told again in Erlang: what they decide is then a decision like any other.
%%
%% A function 'm:f'/N stands for m:f/N, with the same results and the same exceptions (class and
%% reason). It is instrumented before it is used; in it, `elsewise_rt:o/3` is the way to the BIF
%% itself, for what only the BIF can tell (the order of a map's keys).
-module(elsewise_models).

-export(['erlang:++'/2, 'erlang:--'/2, 'erlang:length'/1]).
-export(['erlang:list_to_integer'/1, 'erlang:list_to_integer'/2, 'erlang:integer_to_list'/1,
         'erlang:integer_to_list'/2, 'erlang:binary_to_integer'/1, 'erlang:binary_to_integer'/2,
         'erlang:integer_to_binary'/1, 'erlang:integer_to_binary'/2, 'erlang:floor'/1,
         'erlang:ceil'/1]).
-export(['erlang:tuple_to_list'/1, 'erlang:list_to_tuple'/1, 'erlang:append_element'/2,
         'erlang:delete_element'/2, 'erlang:insert_element'/3]).
-export(['erlang:binary_to_list'/1, 'erlang:binary_to_list'/3, 'erlang:list_to_binary'/1,
         'erlang:iolist_to_binary'/1, 'erlang:iolist_size'/1, 'erlang:split_binary'/2,
         'binary:at'/2, 'binary:first'/1, 'binary:last'/1, 'binary:part'/2, 'binary:part'/3,
         'binary:bin_to_list'/1, 'binary:list_to_bin'/1]).
-export(['lists:reverse'/2, 'lists:member'/2, 'lists:keyfind'/3, 'lists:keymember'/3,
         'lists:keysearch'/3, 'string:list_to_integer'/1]).
-export(['maps:from_list'/1, 'maps:from_keys'/2, 'maps:merge'/2, 'maps:take'/2, 'maps:values'/1,
         'erts_internal:map_next'/3]).

badarg() -> erlang:error(badarg).

%% Lists.

'erlang:++'([H | T], Tail) -> [H | 'erlang:++'(T, Tail)];
'erlang:++'([], Tail) -> Tail;
'erlang:++'(_, _) -> badarg().

%% Both are looked at before anything is done: an improper one is an error even where the other
%% would have ended the matter.
'erlang:--'(From, What) ->
    proper(From),
    proper(What),
    subtract(From, What).

subtract([], _) -> [];
subtract(From, []) -> From;
subtract(From, [H | T]) -> subtract(without(H, From), T).

without(X, [H | T]) when X =:= H -> T;
without(X, [H | T]) -> [H | without(X, T)];
without(_, []) -> [].

proper([_ | T]) -> proper(T);
proper([]) -> ok;
proper(_) -> badarg().

'erlang:length'(List) -> count(List, 0).

count([_ | T], N) -> count(T, N + 1);
count([], N) -> N;
count(_, _) -> badarg().

'lists:reverse'([H | T], Tail) -> 'lists:reverse'(T, [H | Tail]);
'lists:reverse'([], Tail) -> Tail;
'lists:reverse'(_, _) -> badarg().

'lists:member'(X, [H | _]) when X =:= H -> true;
'lists:member'(X, [_ | T]) -> 'lists:member'(X, T);
'lists:member'(_, []) -> false;
'lists:member'(_, _) -> badarg().

%% The BIF takes no index that needs more than a word.
'lists:keyfind'(Key, N, List) when is_integer(N), N > 0, N < 1 bsl 59 -> found(Key, N, List);
'lists:keyfind'(_, _, _) -> badarg().

found(Key, N, [Tuple | _]) when element(N, Tuple) == Key -> Tuple;
found(Key, N, [_ | T]) -> found(Key, N, T);
found(_, _, []) -> false;
found(_, _, _) -> badarg().

'lists:keymember'(Key, N, List) ->
    case 'lists:keyfind'(Key, N, List) of
        false -> false;
        _ -> true
    end.

'lists:keysearch'(Key, N, List) ->
    case 'lists:keyfind'(Key, N, List) of
        false -> false;
        Tuple -> {value, Tuple}
    end.

%% Integers and their digits.

'erlang:list_to_integer'(List) -> 'erlang:list_to_integer'(List, 10).

'erlang:list_to_integer'(List, Base) when is_integer(Base), Base >= 2, Base =< 36 ->
    case List of
        [$- | Digits] -> -digits(Digits, Base);
        [$+ | Digits] -> digits(Digits, Base);
        _ -> digits(List, Base)
    end;
'erlang:list_to_integer'(_, _) ->
    badarg().

digits([_ | _] = List, Base) -> digits(List, Base, 0);
digits(_, _) -> badarg().

digits([C | T], Base, N) -> digits(T, Base, N * Base + digit(C, Base));
digits([], _, N) -> N;
digits(_, _, _) -> badarg().

digit(C, Base) when C >= $0, C =< $9, C - $0 < Base, is_integer(C) -> C - $0;
digit(C, Base) when C >= $a, C =< $z, C - $a + 10 < Base, is_integer(C) -> C - $a + 10;
digit(C, Base) when C >= $A, C =< $Z, C - $A + 10 < Base, is_integer(C) -> C - $A + 10;
digit(_, _) -> badarg().

'erlang:integer_to_list'(N) -> 'erlang:integer_to_list'(N, 10).

'erlang:integer_to_list'(N, Base) when is_integer(N), is_integer(Base), Base >= 2, Base =< 36 ->
    case N < 0 of
        true -> [$- | written(-N, Base, [])];
        false -> written(N, Base, [])
    end;
'erlang:integer_to_list'(_, _) ->
    badarg().

written(N, Base, Tail) when N < Base -> [sign(N) | Tail];
written(N, Base, Tail) -> written(N div Base, Base, [sign(N rem Base) | Tail]).

sign(Digit) when Digit < 10 -> Digit + $0;
sign(Digit) -> Digit - 10 + $A.

'erlang:binary_to_integer'(Binary) -> 'erlang:binary_to_integer'(Binary, 10).

'erlang:binary_to_integer'(Binary, Base) when is_binary(Binary) ->
    'erlang:list_to_integer'(bytes(Binary), Base);
'erlang:binary_to_integer'(_, _) ->
    badarg().

'erlang:integer_to_binary'(N) -> 'erlang:integer_to_binary'(N, 10).
'erlang:integer_to_binary'(N, Base) -> << <<C>> || C <- 'erlang:integer_to_list'(N, Base) >>.

'string:list_to_integer'([$- | T]) -> leading(T, fun(N) -> -N end);
'string:list_to_integer'([$+ | T]) -> leading(T, fun(N) -> N end);
'string:list_to_integer'(L) when is_list(L) -> leading(L, fun(N) -> N end);
'string:list_to_integer'(_) -> {error, not_a_list}.

leading([C | T], Sign) when is_integer(C), C >= $0, C =< $9 -> leading(T, C - $0, Sign);
leading(_, _) -> {error, no_integer}.

leading([C | T], N, Sign) when is_integer(C), C >= $0, C =< $9 ->
    leading(T, N * 10 + C - $0, Sign);
leading(Rest, N, Sign) ->
    {Sign(N), Rest}.

'erlang:floor'(X) when is_integer(X) -> X;
'erlang:floor'(X) when is_float(X) ->
    case trunc(X) of
        N when N > X -> N - 1;
        N -> N
    end;
'erlang:floor'(_) -> badarg().

'erlang:ceil'(X) when is_integer(X) -> X;
'erlang:ceil'(X) when is_float(X) ->
    case trunc(X) of
        N when N < X -> N + 1;
        N -> N
    end;
'erlang:ceil'(_) -> badarg().

%% Tuples. Few elements are written out, so that the engine sees a tuple and not a chain of
%% updates; past some size nobody would follow either.

'erlang:tuple_to_list'(T) when is_tuple(T) -> elements(T, tuple_size(T), []);
'erlang:tuple_to_list'(_) -> badarg().

elements(_, 0, List) -> List;
elements(T, N, List) -> elements(T, N - 1, [element(N, T) | List]).

'erlang:list_to_tuple'([]) -> {};
'erlang:list_to_tuple'([A]) -> {A};
'erlang:list_to_tuple'([A, B]) -> {A, B};
'erlang:list_to_tuple'([A, B, C]) -> {A, B, C};
'erlang:list_to_tuple'([A, B, C, D]) -> {A, B, C, D};
'erlang:list_to_tuple'([A, B, C, D, E]) -> {A, B, C, D, E};
'erlang:list_to_tuple'([A, B, C, D, E, F]) -> {A, B, C, D, E, F};
'erlang:list_to_tuple'([A, B, C, D, E, F, G]) -> {A, B, C, D, E, F, G};
'erlang:list_to_tuple'([A, B, C, D, E, F, G, H]) -> {A, B, C, D, E, F, G, H};
'erlang:list_to_tuple'(List) ->
    case count(List, 0) of
        N when N =< 200 -> filled(List, 1, erlang:make_tuple(N, []));
        _ -> elsewise_rt:o(erlang, list_to_tuple, [List])
    end.

filled([H | T], N, Tuple) -> filled(T, N + 1, setelement(N, Tuple, H));
filled([], _, Tuple) -> Tuple.

'erlang:append_element'(T, X) when is_tuple(T) ->
    'erlang:list_to_tuple'(elements(T, tuple_size(T), [X]));
'erlang:append_element'(_, _) ->
    badarg().

'erlang:delete_element'(N, T) when is_integer(N), is_tuple(T), N >= 1, N =< tuple_size(T) ->
    'erlang:list_to_tuple'(elements(T, N - 1, after_element(N, T)));
'erlang:delete_element'(_, _) ->
    badarg().

'erlang:insert_element'(N, T, X) when is_integer(N), is_tuple(T), N >= 1, N =< tuple_size(T) + 1 ->
    'erlang:list_to_tuple'(elements(T, N - 1, [X | after_element(N - 1, T)]));
'erlang:insert_element'(_, _, _) ->
    badarg().

after_element(N, T) when N >= tuple_size(T) -> [];
after_element(N, T) -> [element(N + 1, T) | after_element(N + 1, T)].

%% Binaries.

'erlang:binary_to_list'(B) when is_binary(B) -> bytes(B);
'erlang:binary_to_list'(_) -> badarg().

'binary:bin_to_list'(B) when is_binary(B) -> bytes(B);
'binary:bin_to_list'(_) -> badarg().

bytes(<<Byte, Rest/binary>>) -> [Byte | bytes(Rest)];
bytes(<<>>) -> [].

'erlang:binary_to_list'(B, First, Last)
  when is_bitstring(B), is_integer(First), is_integer(Last), First >= 1, Last >= First,
       Last =< bit_size(B) div 8 ->
    bytes(binary_part(B, First - 1, Last - First + 1));
'erlang:binary_to_list'(_, _, _) ->
    badarg().

%% What may stand in a list of bytes: bytes, binaries, lists of these, and a binary as its tail.
'erlang:list_to_binary'(L) when is_list(L) -> bin(flat(L, []));
'erlang:list_to_binary'(_) -> badarg().

'binary:list_to_bin'(L) when is_list(L) -> bin(flat(L, []));
'binary:list_to_bin'(_) -> badarg().

'erlang:iolist_to_binary'(L) when is_list(L) -> bin(flat(L, []));
'erlang:iolist_to_binary'(B) when is_binary(B) -> B;
'erlang:iolist_to_binary'(_) -> badarg().

'erlang:iolist_size'(L) when is_list(L) -> weigh(L, 0);
'erlang:iolist_size'(B) when is_binary(B) -> byte_size(B);
'erlang:iolist_size'(_) -> badarg().

weigh([H | T], N) when is_integer(H), H >= 0, H < 256 -> weigh(T, N + 1);
weigh([H | T], N) -> weigh(T, weigh(H, N));
weigh([], N) -> N;
weigh(B, N) when is_binary(B) -> N + byte_size(B);
weigh(_, _) -> badarg().

bin(Pieces) -> << <<P/binary>> || P <- Pieces >>.

%% Pieces of it in order: a byte as a binary of one byte.
flat([H | T], Tail) when is_integer(H), H >= 0, H < 256 -> [<<H>> | flat(T, Tail)];
flat([H | T], Tail) when is_list(H); is_binary(H) -> flat(H, flat(T, Tail));
flat([], Tail) -> Tail;
flat(B, Tail) when is_binary(B) -> [B | Tail];
flat(_, _) -> badarg().

'erlang:split_binary'(B, N) when is_bitstring(B), is_integer(N), N >= 0, N =< bit_size(B) div 8 ->
    <<First:N/binary, Rest/bitstring>> = B,
    {First, Rest};
'erlang:split_binary'(_, _) ->
    badarg().

'binary:at'(B, N) when is_binary(B), is_integer(N), N >= 0, N < byte_size(B) ->
    <<_:N/binary, Byte, _/binary>> = B,
    Byte;
'binary:at'(_, _) ->
    badarg().

'binary:first'(<<Byte, _/binary>>) -> Byte;
'binary:first'(_) -> badarg().

'binary:last'(B) when is_binary(B), byte_size(B) > 0 -> 'binary:at'(B, byte_size(B) - 1);
'binary:last'(_) -> badarg().

'binary:part'(B, {Start, Length}) -> 'binary:part'(B, Start, Length);
'binary:part'(_, _) -> badarg().

'binary:part'(B, Start, Length) -> binary_part(B, Start, Length).

%% Maps. Their keys, and the order of these, only the VM can tell; the values are the map's.

'maps:from_list'(List) -> entered(List, #{}).

entered([{K, V} | T], Map) -> entered(T, Map#{K => V});
entered([], Map) -> Map;
entered(_, _) -> badarg().

'maps:from_keys'(Keys, Value) -> entered(Keys, Value, #{}).

entered([K | T], Value, Map) -> entered(T, Value, Map#{K => Value});
entered([], _, Map) -> Map;
entered(_, _, _) -> badarg().

'maps:merge'(A, B) when is_map(A), is_map(B) -> merged(maps:keys(B), B, A);
'maps:merge'(A, _) when not is_map(A) -> erlang:error({badmap, A});
'maps:merge'(_, B) -> erlang:error({badmap, B}).

merged([K | T], From, Into) -> merged(T, From, Into#{K => map_get(K, From)});
merged([], _, Into) -> Into.

'maps:take'(K, Map) when is_map(Map) ->
    case Map of
        #{K := V} -> {V, maps:remove(K, Map)};
        _ -> error
    end;
'maps:take'(_, Map) ->
    erlang:error({badmap, Map}).

'maps:values'(Map) when is_map(Map) -> values(maps:keys(Map), Map);
'maps:values'(Map) -> erlang:error({badmap, Map}).

values([K | T], Map) -> [map_get(K, Map) | values(T, Map)];
values([], _) -> [].

%% What all of the module maps walks with: the keys come from the BIF, each value from the map.
'erts_internal:map_next'(Path, Map, iterator) ->
    iterator(elsewise_rt:o(erts_internal, map_next, [Path, Map, iterator]), Map);
'erts_internal:map_next'(Path, Map, List) ->
    pairs(elsewise_rt:o(erts_internal, map_next, [Path, Map, []]), Map, List).

iterator({K, _, Next}, Map) -> {K, map_get(K, Map), iterator(Next, Map)};
iterator([Path | _], Map) -> [Path | Map];
iterator(none, _) -> none.

pairs([Path, _ | Pairs], Map, List) when is_integer(Path) -> [Path, Map | pairs(Pairs, Map, List)];
pairs([{K, _} | Pairs], Map, List) -> [{K, map_get(K, Map)} | pairs(Pairs, Map, List)];
pairs([], _, List) -> List.
