%% A module of ours with everything in it that instrumentation could change, plain and instrumented.
-module(test_traps).
-export([main/1]).

main(Subjects) ->
    File = list_to_binary(filename:join(Subjects, "traps.erl")),
    logger:set_primary_config(level, none),
    {compiled, Modules} = elsewise_load:plain(#{files => [File]}),
    entered = elsewise_load:enter(Modules),
    Calls = calls(),
    Plain = [outcome(C) || C <- Calls],
    Stackless = constant_stack(),
    {loaded, [{_, _, traps, #{opaque := Opaque}} | _], _, _} = elsewise_load:load(#{files => [File]}),
    [{sized_receive, 1, _}] = Opaque,
    Instrumented = [outcome(C) || C <- Calls],
    Differences = [{C, {plain, P}, {instrumented, I}}
                   || {C, P, I} <- lists:zip3(Calls, Plain, Instrumented), not equal(C, P, I)],
    Silent = [{no_events, C} || {count, _} = C <- Calls, events(C) =:= <<>>],
    {length(Calls) + 2, Differences ++ Silent ++ deeper(Stackless, constant_stack())
        ++ not_covered(Calls) ++ events_of_a_loop() ++ values_of_funs()}.

outcome({F, Args}) ->
    {ran, Outcome, _, _, _} = elsewise_server:run(traps, F, Args, #{timeout => 20000}),
    seen(Outcome).

events({F, Args}) ->
    {ran, _, _, Events, _} = elsewise_server:run(traps, F, Args, #{timeout => 20000}),
    Events.

seen({exception, Class, Reason, Stack}) ->
    {Class, Reason, [{M, F, arity(A)} || {M, F, A, _} <- Stack]};
seen({ok, Value}) -> {ok, Value};
seen({Other, _}) -> Other.

%% The functions of the subject that a plain stack shows, an instrumented one shows as well, with one
%% exception: M:F(...) in the place of a tail call leaves the function before it fails.
equal({dynamic, _}, {Class, Reason, _}, {Class, Reason, _}) -> true;
equal(_, {Class, Reason, Plain}, {Class, Reason, Instrumented}) ->
    [] =:= [F || {traps, _, _} = F <- Plain, not lists:member(F, Instrumented)];
equal(_, Same, Same) -> true;
equal(_, _, _) -> false.

arity(A) when is_list(A) -> length(A);
arity(A) -> A.

%% A tail call that is none any more shows in the depth of the stack at the end.
constant_stack() ->
    Self = self(),
    Pid = spawn(fun() ->
                        put(elw, []),
                        traps:mutual(1000000),
                        traps:count(1000000),
                        true = traps:even(1000000),
                        put(elw, []),
                        traps:through_fun(300000),
                        put(elw, []),
                        garbage_collect(),
                        Self ! {words, element(2, process_info(self(), stack_size))}
                end),
    _ = Pid,
    receive {words, N} -> N after 60000 -> timeout end.

deeper(Plain, Instrumented) when Instrumented =< Plain + 5 -> [];
deeper(Plain, Instrumented) -> [{stack, Plain, Instrumented}].

not_covered(Calls) ->
    Exported = [F || {F, _} <- traps:module_info(exports), F =/= module_info,
                     not lists:prefix("-elsewise", atom_to_list(F))],
    [{never_called, F} || F <- Exported, not lists:keymember(F, 1, Calls)].

%% One event for each decision, and nothing else: three for three elements and the end.
events_of_a_loop() ->
    case events({sum, [[1, 2, 3], 0]}) of
        %% After the word's first bit.
        <<1:20, A:11, A:11, A:11, B:11>> when A =/= B -> [];
        Other -> [{events_of_sum, Other}]
    end.

%% The k-th distinct list of arguments gives the k-th result, and then the last one.
values_of_funs() ->
    Fun = {'$elsewise', 'fun', 1, [x, y]},
    {ran, Outcome, _, _, _} = elsewise_server:run(traps, mapped_by, [], #{}),
    {exception, error, undef, _} = Outcome,
    case elsewise_server:run(lists, map, [Fun, [1, 2, 1, 3, 1.0]], #{}) of
        {ran, {ok, [x, y, x, y, y]}, _, _, _} -> [];
        Other -> [{fun_inputs, Other}]
    end.

calls() ->
    Thrower = fun(C, R) -> fun() -> erlang:C(R) end end,
    [{map_update, [#{c => 1}, 5]}, {map_update, [#{}, 5]}, {map_update, [x, 1]},
     {map_exact, [#{a => 3, b => 4}]}, {map_exact, [#{b => 4}]}, {map_exact, [[]]},
     {map_nested, [#{x => 1, w => 2}]}, {map_nested, [3]},
     {map_key, [#{1 => a, {k, 1} => b}, 1]}, {map_key, [#{1 => a}, 1]}, {map_key, [#{}, 1]},
     {map_key, [x, 1]}, {infinity, []}, {forever, [false]}, {nested_receive, []},
     {alias_of_map, [#{a => 1, b => 2, c => 3}]}, {alias_of_map, [#{a => 1}]}, {info, []},
     {dictionary, []}, {printed, [{x, "y"}]}, {spawned, [4]}, {spawned, [0]}]
        ++ [{guards, [X, Y]} || X <- [0, 2, [], {1}, {point, 4, 1}, #{k => 1}], Y <- [1, 2, 3, x]]
        ++ [{guard_fails, [X]} || X <- [[1], [2, 3, 4], [2], #{a => true}, #{}, x, [1 | x]]]
        ++ [{guard_or, [X, Y]} || X <- [true, false, 3], Y <- [true, false, x]]
        ++ [{booleans, [X, Y]} || X <- [true, false, 3], Y <- [true, false, x]]
        ++ [{selective, [X]} || X <- [b, {a, 1}, z, 4.0]]
        ++ [{timed, [T]} || T <- [0, 1, 30, x, -1]]
        ++ [{mailbox, [M, 10]} || M <- [[], [1, 2, 30, 4], [1, {stop, now}, 2], [[1], "ab", 99, 1],
                                        [-0.0, 3, {stop}, {stop, 1}]]]
        ++ [{binary_receive, [M]} || M <- [<<"xyz">>, #{key => 1}, <<"y">>, 3]]
        ++ [{sized_receive, [M]} || M <- [{udp, <<2, "abc">>}, {udp, <<9, "abc">>}, {tcp, 1}]]
        ++ [{tries, [X]} || X <- [[1], [5], [2], [], x]]
        ++ [{afters, [X]} || X <- [throw, error, exit, 3]]
        ++ [{nested, [Thrower(C, R)]} || C <- [throw, error, exit], R <- [a, b, c]]
        ++ [{rethrow, [X]} || X <- [pass, x]]
        ++ [{F, [X]} || F <- [reraise, in_try, catches, stack], X <- [1, 0, -3, x]]
        ++ [{try_of, [X]} || X <- [{ok, 1}, x]]
        ++ [{F, [N]} || F <- [count, even, through_fun, build, mutual], N <- [0, 1, 7, 1000]]
        ++ [{sum, [[1, 2, 3], 0]}, {sum, [[1.5, 1 bsl 70], -0.0]}, {sum, [[a], 0]}, {sum, [x, 0]}]
        ++ [{floats, [X]} || X <- [-0.0, 0.0, 1.5, -2.5, 1.0e200, -1.0, 3]]
        ++ [{bigs, [X]} || X <- [0, -1, 1 bsl 64, -(1 bsl 90), 123456789012345678901234567890, x]]
        ++ [{comprehensions, [X]} || X <- [[1, 2, 3, 4], [], [{ok, 1}, 2], [1 | x], x]]
        ++ [{binary_comprehension, [X]} || X <- [[1, 2, 3, 255], [], [-1], [x], [1 | 2]]]
        ++ [{bits, [X]} || X <- [<<>>, <<255>>, <<1:1>>, <<16#1A, 16#BF:4>>, <<0:1, 1:2>>, "x",
                                 <<"GET /x">>, <<0, 0, 128, 63>>, <<5:4, "hello", 1:3>>]]
        ++ [{sized, [X]} || X <- [<<8, 200, 1>>, <<3, 1:3, 0:5>>, <<1, 2, 3>>, <<200, 2, 5, 6>>,
                                  #{a => b, b => 1}, #{a => c}, <<>>, x]]
        ++ [{strings, [X]} || X <- ["abcdef", "xyz", "ab", "x", [], abc]]
        ++ [{records, [X]} || X <- [{point, 1, undefined}, {point, 1, 2}, {point, 1}, x, {point, a, 2}]]
        ++ [{record_update, [X]} || X <- [{point, 1, 2}, {point, 1}, x]]
        ++ [{funs, [F, X]} || F <- [fun(X) -> X + 1 end, fun erlang:abs/1, fun lists:reverse/1,
                                    fun traps:exported/1, x, fun(_, _) -> 1 end],
                              X <- [-2, [1, 2]]]
        ++ [{named, [X]} || X <- [0, 5, 30]]
        ++ [{external, [fun(Y) -> Y + 1 end, X]} || X <- [[1, 2], [a], x]]
        ++ [{applied, X} || X <- [[lists, reverse, [[1, 2]]], [traps, exported, [1]], [traps, no, []],
                                  [no_such_module, f, [1]], [erlang, '+', [1, 2]],
                                  [erlang, apply, [lists, sum, [[1, 2]]]], [lists, reverse, x],
                                  [1, 2, []], [lists, map, [fun(X) -> {X} end, [1]]]]]
        ++ [{dynamic, X} || X <- [[lists, sum, [1, 2]], [traps, exported, 2], [erlang, hd, []],
                                  [erlang, length, [1 | 2]], [x, y, z], [1, y, z], [maps, keys, #{}]]]
        ++ [{arity, [F]} || F <- [fun(A, B) -> A + B end, fun erlang:'-'/2, fun(A) -> A end, x]]
        ++ [{badfun, [F]} || F <- [x, fun() -> 1 end, fun erlang:no_such/1, fun traps:no_such/1]]
        ++ [{F, [X]} || F <- [closures], X <- [0, 1, 4]]
        ++ [{matches, [X]} || X <- [{a, [a]}, {a, [b]}, {a, []}, x]]
        ++ [{cases, [X]} || X <- [{a, 2}, {a, 1}, [1], <<1>>, x, <<1, 2>>]]
        ++ [{ifs, [X]} || X <- [6, -1, 3, 4, x]]
        ++ [{letrec_goto, [X]} || X <- [#{{k, 1} => 2, a => 1}, #{{k, 1} => 2, a => 3}, {a, b}, {1, #{}}, {9, x},
                                        <<8, 1, 7>>, <<8, 2, 7>>, <<3, 1:3, 7>>,
                                        <<1, 2, 3>>, x, <<0>>]]
        ++ [{opaque_callback, [X]} || X <- [[], [3, 1, 2, 3], x]]
        ++ [{sorted, [X]} || X <- [[], [3, 1, 2, 3], [b, 1.0, 1, "x"], [1 | 2], x]]
        ++ [{mapped, [X]} || X <- [#{}, #{a => 1, b => 2}, maps:from_list([{N, N} || N <- lists:seq(1, 50)]), x]]
        ++ [{local_fun, [X]} || X <- [[], [3, 1], [x], x]]
        ++ [{F, [X]} || F <- [calls_exported, exported, shadows, order], X <- [1, -7, x]]
        ++ [{aliases, [X]} || X <- [[1, 2], {1, {2, 3}}, x, {1, 2}]]
        ++ [{utf, [X]} || X <- [<<"aé€"/utf8>>, <<255>>, <<>>]]
        ++ [{deep, [X]} || X <- [[1, [2, [3]], []], [], x, [[1 | 2]]]].
