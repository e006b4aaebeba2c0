%% Behaviour kept: stdlib's modules instrumented as copies, and their results against the originals'.
-module(test_kept).
-export([main/1]).

modules() ->
    [lists, maps, string, proplists, orddict, ordsets, dict, sets, gb_trees, gb_sets, queue, array,
     sofs, base64, filename, calendar, uri_string, io_lib, io_lib_format, io_lib_pretty,
     io_lib_fread, erl_scan, erl_parse, erl_pp, erl_lint, erl_eval, erl_anno, erl_expand_records,
     eval_bits, re, unicode, binary, digraph, digraph_utils, rand, timer, erl_bits, erl_internal,
     erl_posix_msg, otp_internal, ets, beam_lib, epp, filelib, zip].

main(_) ->
    logger:set_primary_config(level, none),
    rand:seed(exsss, {2, 7, 1}),
    true = length(modules()) >= 40,
    Models = models(),
    [copy(M, Models) || M <- modules()],
    copy(elsewise_models, Models),
    elsewise_rt:set_table(table(Models), maps:from_keys([target(M) || M <- [elsewise_models | modules()]], true)),
    Calls = workload:calls() ++ random_calls(),
    Compared = [compare(C) || C <- Calls],
    Missing = [{never_called, M} || M <- modules(), not lists:keymember(M, 1, Calls)],
    {length(Compared), Missing ++ [D || {differs, D} <- Compared]}.

target(M) -> list_to_atom("elsewise@" ++ atom_to_list(M)).

%% All of a module's functions, where a subject would only get those that it reaches.
copy(M, Models) ->
    {ok, M, Core} = elsewise_core:file(code:which(M), #{}),
    How = #{decide => fun(Mfa) -> decide(Mfa, Models) end, target => target(M), hidden => true,
            bifs => [{F, A} || {F, A} <- M:module_info(exports), erlang:is_builtin(M, F, A)]},
    {Code, IR} = elsewise_instrument:module(Core, How),
    true = is_binary(term_to_binary(IR)),
    {ok, Target, Binary, _} = compile:noenv_forms(Code, [from_core, binary, return | unoptimised()]),
    {module, Target} = code:load_binary(Target, "", Binary).

%% What instrumentation makes of a module is compared, not what the compiler makes of that: its
%% optimisations would take most of the time. ELSEWISE_OPTIMISED leaves them on.
unoptimised() ->
    case os:getenv("ELSEWISE_OPTIMISED") of
        false -> [no_copt, no_ssa_opt, no_type_opt, no_bool_opt, no_bsm_opt, no_recv_opt, no_share_opt,
                  no_fun_opt];
        _ -> []
    end.

models() ->
    maps:from_list([{mfa(F, A), F} || {F, A} <- elsewise_models:module_info(exports), F =/= module_info]).

mfa(F, A) ->
    {M, [$: | Name]} = lists:splitwith(fun(C) -> C =/= $: end, atom_to_list(F)),
    {list_to_atom(M), list_to_atom(Name), A}.

decide({erlang, apply, A}, _) when A =:= 2; A =:= 3 -> apply;
decide({elsewise_rt, o, 3}, _) -> plain;
decide({_, module_info, _}, _) -> opaque;
decide({M, F, A} = Mfa, Models) ->
    case {Models, lists:member(Mfa, elsewise_bifs:primitives())} of
        {_, true} -> primitive;
        {#{Mfa := Model}, _} -> {redirect, target(elsewise_models), Model};
        _ ->
            case lists:member(M, modules()) andalso not erlang:is_builtin(M, F, A) of
                true -> {redirect, target(M), F};
                false -> opaque
            end
    end.

table(Models) ->
    Copied = [{{M, F, A}, {target(M), F}} || M <- modules(), {F, A} <- M:module_info(exports),
                                             F =/= module_info, not erlang:is_builtin(M, F, A)],
    Primitives = maps:from_keys(elsewise_bifs:primitives(), primitive),
    maps:merge(maps:merge(maps:from_list(Copied), Primitives),
               maps:map(fun(_, F) -> {target(elsewise_models), F} end, Models)).

compare({M, Fun, Name}) ->
    Plain = outcome(Fun, fun(X) -> X end),
    put(elw, []),
    Copy = outcome(Fun, fun target/1),
    case same(Plain, Copy) of
        true -> same;
        false -> {differs, {M, Name, {plain, Plain}, {instrumented, Copy}}}
    end.

outcome(Fun, Names) ->
    try
        {ok, Fun(Names)}
    catch
        Class:Reason -> {Class, Reason}
    end.

%% Funs, references and tables of two calls are not the same ones, nor is the line of this file in a
%% stack.
same(A, A) -> true;
same(A, B) -> blurred(A) =:= blurred(B).

blurred(F) when is_function(F) -> {'fun', element(2, erlang:fun_info(F, arity))};
blurred({line, _}) -> line;
blurred(R) when is_reference(R) -> reference;
blurred(L) when is_list(L) -> blurred_list(L);
blurred(T) when is_tuple(T) -> list_to_tuple(blurred_list(tuple_to_list(T)));
blurred(M) when is_map(M) -> maps:from_list(blurred_list(maps:to_list(M)));
blurred(A) when is_atom(A) ->
    case atom_to_list(A) of
        "elsewise@" ++ Name -> list_to_atom(Name);
        _ -> A
    end;
blurred(X) -> X.

blurred_list([H | T]) -> [blurred(H) | blurred_list(T)];
blurred_list([]) -> [];
blurred_list(Tail) -> blurred(Tail).

%% Every function of the containers' modules on random values, fitting or not. No number among them
%% is big: some functions make lists of that length.
random_calls() ->
    [{M, fun(R) -> workload:call(R, M, F, Args) end, {F, Args}}
     || M <- [lists, maps, string, proplists, orddict, ordsets, dict, sets, gb_trees, gb_sets, queue,
              array, base64, filename, calendar, io_lib],
        {F, A} <- M:module_info(exports), A > 0, A < 5, F =/= module_info,
        not lists:member({M, F}, [{calendar, local_time}, {io_lib, format_prompt}, {filename, find_src}]),
        _ <- lists:seq(1, 20),
        Args <- [[value(M) || _ <- lists:seq(1, A)]]].

value(M) ->
    case rand:uniform(9) of
        1 -> one_of([a, b, c]);
        2 -> rand:uniform(6) - 2;
        3 -> [value(M) || _ <- lists:seq(1, rand:uniform(4) - 1)];
        4 -> [{one_of([a, b, c]), rand:uniform(5)} || _ <- lists:seq(1, rand:uniform(4) - 1)];
        5 -> one_of([fun(X) -> X end, fun(X, Y) -> {X, Y} end, fun(X, Y, Z) -> [X, Y | Z] end,
                     fun(X) -> X > 1 end, fun(X, Y) -> X =< Y end, fun erlang:'+'/2]);
        6 -> one_of(["abc", "b", <<"abc">>, "", " x y", "/a/b.c", {2020, 2, 28}, {1, 2, 3}, 1.5]);
        7 -> one_of([#{}, #{a => 1, b => 2}, {a, 1}, {}, [a | b], -0.0]);
        _ -> structure(M)
    end.

structure(dict) -> dict:from_list([{X, X} || X <- numbers()]);
structure(sets) -> sets:from_list(numbers());
structure(gb_trees) -> gb_trees:from_orddict(orddict:from_list([{X, X} || X <- numbers()]));
structure(gb_sets) -> gb_sets:from_list(numbers());
structure(queue) -> queue:from_list(numbers());
structure(array) -> array:from_list(numbers());
structure(maps) -> maps:from_list([{X, {X}} || X <- numbers()]);
structure(orddict) -> orddict:from_list([{X, X} || X <- numbers()]);
structure(ordsets) -> ordsets:from_list(numbers());
structure(_) -> numbers().

numbers() -> [rand:uniform(9) || _ <- lists:seq(1, rand:uniform(8) - 1)].
one_of(List) -> lists:nth(rand:uniform(length(List)), List).
