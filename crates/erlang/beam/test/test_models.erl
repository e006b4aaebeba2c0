%% Each model against the BIF that it stands for, on values of all kinds.
-module(test_models).
-export([main/1]).

main(_) ->
    rand:seed(exsss, {3, 1, 4}),
    Models = [{F, A} || {F, A} <- elsewise_models:module_info(exports), F =/= module_info],
    lists:foldl(fun({F, A}, {Count, Differences}) ->
                        %% Function by function: one long comprehension has a deep stack, which
                        %% every collection goes through.
                        Compared = [compare(F, A, Args) || Args <- arguments(F, A)],
                        {Count + length(Compared), [D || {differs, D} <- Compared] ++ Differences}
                end, {0, []}, Models).

compare(F, A, Args) ->
    [M, Name] = [list_to_atom(P) || P <- split(atom_to_list(F))],
    A = length(Args),
    Real = outcome(M, Name, Args),
    case outcome(elsewise_models, F, Args) of
        Real -> same;
        Other -> {differs, {F, Args, {real, Real}, {model, Other}}}
    end.

split(Text) ->
    {M, [$: | F]} = lists:splitwith(fun(C) -> C =/= $: end, Text),
    [M, F].

%% How much of a big map comes at once depends on how long the process has been running, so that
%% only the whole walk can be compared.
outcome(M, F, [0, Map, How]) when is_list(How), F =:= map_next;
                                   is_list(How), F =:= 'erts_internal:map_next' ->
    {ok, walked(M, F, [0, Map | How])};
outcome(M, F, Args) ->
    try
        {ok, apply(M, F, Args)}
    catch
        Class:Reason -> {Class, Reason}
    end.

walked(M, F, [Path, Map | Pairs]) when is_integer(Path) -> walked(M, F, M:F(Path, Map, Pairs));
walked(_, _, Pairs) -> Pairs.

%% All awkward values in all places for one and two arguments, then values that fit somewhat.
arguments('erts_internal:map_next', 3) ->
    [[0, Map, How] || Map <- maps(), How <- [[], [{x, y}]]]
        ++ [[0, Map, iterator] || Map <- maps(), map_size(Map) < 33];
arguments(F, 1) ->
    [[X] || X <- awkward() ++ fitting(F, 1, 400)];
arguments(F, 2) ->
    [[X, Y] || X <- awkward(), Y <- awkward()] ++ pairs(F, 600);
arguments(F, 3) ->
    Few = some(12, awkward()),
    [[X, Y, Z] || X <- Few, Y <- Few ++ [1, 2], Z <- Few] ++ triples(F, 1500).

pairs(F, N) ->
    [[X, Y] || {X, Y} <- lists:zip(fitting(F, 1, N), fitting(F, 2, N))].

triples(F, N) ->
    [[X, Y, Z] || {X, Y, Z} <- lists:zip3(fitting(F, 1, N), fitting(F, 2, N), fitting(F, 3, N))].

awkward() ->
    [[], [a], [a | b], [1, 2, 3], [1.0, 1, -0.0, 0.0], [[]], [[a], {b}], "12", "-12", "+7", "-", "+",
     "12x", "0x1f", "ff", "FF", "z", [$1, a], [$1 | $2], [$1 | <<"2">>], "1_000", " 1", "-0", "007",
     "99999999999999999999999999", [256], [-1], [255, 0], [<<1, 2>>, 3, [4 | <<5>>]], [<<1:4>>],
     [<<1:4>>, <<1:4>>], [1 | <<2:4>>], [[[[]]], []], [1, [2, [3, [4]]]],
     {}, {a}, {a, b, c}, {1, 1.0}, list_to_tuple(lists:seq(1, 20)), list_to_tuple(lists:seq(1, 300)),
     0, 1, 2, 3, 8, 10, 16, 36, 37, -1, 255, 256, 1 bsl 64, -(1 bsl 70), 0.0, -0.0, 1.5, -1.5, -0.5,
     1.0e300, 2.0,
     <<>>, <<1>>, <<"12">>, <<"-12">>, <<"+">>, <<"abc">>, <<1:1>>, <<1:9>>, <<1, 2, 3, 4:4>>,
     a, true, false, [], self(), fun erlang:abs/1, make_ref(),
     #{}, #{a => 1}, #{1 => a, 1.0 => b}, {0, 1}, {1, -1}, {-1, 1},
     [{a, 1}, {b, 2}], [{a, 1}, {a, 2} | c], [{a, 1, x}, b, {1}, {1.0}], [{1}, {1.0}]]
        ++ [lists:seq(1, 300), maps:from_keys(lists:seq(1, 40), v)].

maps() ->
    [#{}, #{a => 1}, #{1 => a, 1.0 => b}, maps:from_keys(lists:seq(1, 32), v),
     maps:from_keys(lists:seq(1, 33), v),
     maps:from_list([{X, {X}} || X <- lists:seq(1, 400)])].

%% Values such as the function takes, with now and then one that it does not.
fitting(F, Place, N) ->
    [case rand:uniform(12) of
         1 -> one_of(awkward());
         _ -> fit(F, Place)
     end
     || _ <- lists:seq(1, N)].

fit(F, _) when F =:= 'erlang:list_to_tuple'; F =:= 'erlang:length' -> list();
fit(F, 1) when F =:= 'erlang:list_to_integer'; F =:= 'string:list_to_integer' -> digits();
fit('erlang:binary_to_integer', 1) -> list_to_binary(digits());
fit(F, 2) when F =:= 'erlang:list_to_integer'; F =:= 'erlang:integer_to_list';
               F =:= 'erlang:binary_to_integer'; F =:= 'erlang:integer_to_binary' ->
    rand:uniform(38);
fit(F, 1) when F =:= 'erlang:integer_to_list'; F =:= 'erlang:integer_to_binary' -> integer();
fit(F, 1) when F =:= 'erlang:floor'; F =:= 'erlang:ceil' -> (rand:uniform() - 0.5) * 1000;
fit(F, 1) when F =:= 'erlang:++'; F =:= 'erlang:--'; F =:= 'lists:reverse'; F =:= 'maps:from_keys' ->
    list();
fit(F, 2) when F =:= 'erlang:++'; F =:= 'erlang:--'; F =:= 'lists:reverse'; F =:= 'lists:member' ->
    list();
fit(F, 2) when F =:= 'lists:keyfind'; F =:= 'lists:keymember'; F =:= 'lists:keysearch' ->
    rand:uniform(3);
fit(F, 3) when F =:= 'lists:keyfind'; F =:= 'lists:keymember'; F =:= 'lists:keysearch' ->
    [tuple() || _ <- list()];
fit('maps:from_list', 1) -> [{small(), small()} || _ <- list()];
fit('maps:take', 1) -> small();
fit(F, _) when F =:= 'maps:merge'; F =:= 'maps:take'; F =:= 'maps:values' ->
    maps:from_list([{small(), small()} || _ <- list()]);
fit(F, 1) when F =:= 'erlang:tuple_to_list'; F =:= 'erlang:append_element' -> tuple();
fit(F, 1) when F =:= 'erlang:insert_element'; F =:= 'erlang:delete_element' -> rand:uniform(5) - 1;
fit(F, 2) when F =:= 'erlang:insert_element'; F =:= 'erlang:delete_element' -> tuple();
fit(F, 1) when F =:= 'erlang:list_to_binary'; F =:= 'erlang:iolist_to_binary';
               F =:= 'erlang:iolist_size'; F =:= 'binary:list_to_bin' ->
    iolist(3);
fit('binary:part', 2) -> one_of([{rand:uniform(6) - 1, rand:uniform(6) - 3}, rand:uniform(6) - 2]);
fit(F, 1) when F =:= 'binary:at'; F =:= 'binary:first'; F =:= 'binary:last'; F =:= 'binary:part';
               F =:= 'binary:bin_to_list'; F =:= 'erlang:split_binary';
               F =:= 'erlang:binary_to_list' ->
    rand:bytes(rand:uniform(8) - 1);
fit(_, _) ->
    one_of([small(), rand:uniform(6) - 2]).

list() -> [small() || _ <- lists:seq(1, rand:uniform(7) - 1)].
tuple() -> list_to_tuple(list()).
small() -> one_of([a, b, 1, 1.0, 2, {a}, [], [1], <<1>>, -0.0, 0.0, 0, "x"]).
integer() -> one_of([rand:uniform(1000) - 500, rand:uniform(1 bsl 80) - (1 bsl 79)]).

digits() ->
    one_of(["", "-", "+"]) ++ [one_of("0123456789abFGzZ_") || _ <- lists:seq(1, rand:uniform(4) - 1)]
        ++ [one_of("0123456789") || _ <- lists:seq(1, rand:uniform(30) - 1)].

iolist(0) -> one_of([rand:uniform(256) - 1, rand:bytes(2), []]);
iolist(Depth) ->
    Head = [iolist(Depth - 1) || _ <- lists:seq(1, rand:uniform(4) - 1)],
    case rand:uniform(4) of
        1 -> Head ++ rand:bytes(1);
        _ -> Head
    end.

some(N, List) -> [one_of(List) || _ <- lists:seq(1, N)].
one_of(List) -> lists:nth(rand:uniform(length(List)), List).
