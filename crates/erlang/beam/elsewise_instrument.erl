%% From one module in Core Erlang: the same module with events written into it, and its IR.
%%
%% Both come out of one walk, so that the numbers in the events are those in the IR. Every kind of
%% node is named here: a walk over "all subtrees" would drop the base of a map update, and a kind
%% that nobody thought of must not be a hole in the picture that the engine gets: a function with
%% one in it is opaque as a whole.
-module(elsewise_instrument).
-export([module/2, references/1]).
-include("elsewise_events.hrl").

-record(env, {
    %% The module's name in the source, its name when loaded, and how static calls are decided.
    module, target, decide,
    %% Functions of the module that are BIFs in disguise: calls of them are calls of the BIF.
    bifs = [],
    %% The function around us, the variables in sight with their numbers, the place.
    function, vars = #{}, line = 0, column = 0,
    %% Guards are translated, never touched.
    guard = false
}).

-type decision() :: plain | primitive | opaque | apply | {redirect, module(), atom()}.
-type how() :: #{
    decide := fun((mfa()) -> decision()),
    target => module(),
    hidden => boolean(),
    keep => all | [{atom(), arity()}],
    bifs => [{atom(), arity()}]
}.
-export_type([how/0, decision/0]).

%% Site and clause numbers go on from where the calling process left them (`elsewise_next`).
-spec module(cerl:cerl(), how()) -> {cerl:cerl(), tuple()}.
module(Core, How) ->
    Name = cerl:concrete(cerl:module_name(Core)),
    Target = maps:get(target, How, Name),
    Env = #env{module = Name, target = Target, decide = maps:get(decide, How),
               bifs = maps:get(bifs, How, [])},
    put(elsewise_sites, []),
    put(elsewise_names, []),
    Kept = [D || {V, _} = D <- cerl:module_defs(Core), keep(cerl:var_name(V), How)],
    put(elsewise_opaque, []),
    {Defs, Functions} = lists:unzip([definition(D, Env) || D <- Kept]),
    Opaque = lists:reverse(erase(elsewise_opaque)),
    Exports = [E || E <- cerl:module_exports(Core), keep(cerl:var_name(E), How)],
    Added = [cerl:c_fname(unfollowed_name(F), A) || {F, A, _} <- Opaque],
    Attributes = cerl:module_attrs(Core),
    Code = cerl:update_c_module(Core, cerl:abstract(Target), Exports ++ Added,
                                kept_attributes(Attributes, How), lists:append(Defs)),
    Values = [{cerl:concrete(K), cerl:concrete(V)} || {K, V} <- Attributes],
    IR = {elsewise_module, 1, Name,
          #{file => file_of(Core),
            target => Target,
            exports => [N || E <- Exports, (N = cerl:var_name(E)) =/= {module_info, 0},
                             N =/= {module_info, 1}],
            hidden => maps:get(hidden, How, false),
            functions => lists:append(Functions),
            opaque => [{F, A, unicode:characters_to_binary(Why)} || {F, A, Why} <- Opaque],
            specs => attribute(spec, Values),
            types => [{T, Form, Vars, Kind} || Kind <- [type, opaque],
                                               {T, Form, Vars} <- attribute(Kind, Values)],
            records => attribute(record, Values),
            names => erase(elsewise_names),
            sites => lists:reverse(erase(elsewise_sites))}},
    {Code, IR}.

keep(Function, #{keep := Keep}) when is_list(Keep) ->
    lists:member(Function, Keep) orelse element(1, Function) =:= module_info;
keep(_, _) ->
    true.

%% A copy of part of a module must not run the hooks of the whole.
kept_attributes(Attributes, #{target := _}) ->
    [A || {K, _} = A <- Attributes, not lists:member(cerl:concrete(K), [on_load, nifs])];
kept_attributes(Attributes, _) ->
    Attributes.

attribute(Name, Values) ->
    lists:append([V || {N, V} <- Values, N =:= Name]).

file_of(Core) ->
    Attributes = [cerl:concrete(V) || {K, V} <- cerl:module_attrs(Core), cerl:concrete(K) =:= file],
    case Attributes of
        [[{File, _} | _] | _] -> unicode:characters_to_binary(File);
        _ -> <<>>
    end.

%% Which functions each function refers to, by `{local, F, A}` and `{remote, M, F, A}`.
-spec references(cerl:cerl()) -> #{{atom(), arity()} => [tuple()]}.
references(Core) ->
    maps:from_list([{cerl:var_name(V), lists:usort(cerl_trees:fold(fun reference/2, [], F))}
                    || {V, F} <- cerl:module_defs(Core)]).

reference(Node, Found) ->
    case cerl:type(Node) of
        var ->
            case cerl:var_name(Node) of
                {F, A} -> [{local, F, A} | Found];
                _ -> Found
            end;
        call ->
            M = cerl:call_module(Node),
            F = cerl:call_name(Node),
            Args = cerl:call_args(Node),
            case cerl:is_c_atom(M) andalso cerl:is_c_atom(F) of
                true -> remote(cerl:concrete(M), cerl:concrete(F), Args, Found);
                false -> Found
            end;
        _ ->
            Found
    end.

remote(erlang, make_fun, [M, F, A], Found) ->
    case lists:all(fun cerl:is_literal/1, [M, F, A]) of
        true -> [{remote, cerl:concrete(M), cerl:concrete(F), cerl:concrete(A)} | Found];
        false -> Found
    end;
remote(M, F, Args, Found) ->
    [{remote, M, F, length(Args)} | Found].

definition({Name, Fun} = Definition, Env) ->
    case cerl:var_name(Name) of
        {module_info, _} ->
            {[{Name, module_info(Fun, Env)}], []};
        Function ->
            Env1 = place(Fun, Env#env{function = Function}),
            Sites = get(elsewise_sites),
            try
                followed(Definition, Env1)
            catch
                error:{elsewise, Why} ->
                    put(elsewise_sites, Sites),
                    unfollowed(Definition, Why, Env1)
            end
    end.

followed({Name, Fun}, #env{function = {F, A}} = Env) ->
    put(elsewise_vars, 0),
    {Params, Env1} = bind(cerl:fun_vars(Fun), Env),
    {Code, IR} = expr(cerl:fun_body(Fun), Env1),
    {[{Name, cerl:update_c_fun(Fun, cerl:fun_vars(Fun), Code)}],
     [{F, A, Env#env.line, Params, erase(elsewise_vars), IR}]}.

%% A function with something in it that cannot be followed stays as it is, under another name, and
%% is an opaque call of itself. The IR says so, and why.
unfollowed({Name, Fun}, Why, #env{function = {F, A}, target = Target} = Env) ->
    put(elsewise_opaque, [{F, A, Why} | get(elsewise_opaque)]),
    Vars = cerl:fun_vars(Fun),
    Plain = unfollowed_name(F),
    Wrapper = cerl:update_c_fun(Fun, Vars,
                                rt(Fun, o, [cerl:abstract(Target), cerl:abstract(Plain),
                                            cerl:make_list(Vars)])),
    Numbers = lists:seq(0, A - 1),
    Args = lists:foldr(fun(N, Tail) -> {cons, {var, N}, Tail} end, {lit, []}, Numbers),
    {[{Name, Wrapper}, {cerl:c_fname(Plain, A), Fun}],
     [{F, A, Env#env.line, Numbers, A,
       {call, site(call, 1, Env), {lit, elsewise_rt}, {lit, o}, [{lit, Target}, {lit, Plain}, Args]}}]}.

unfollowed_name(F) -> list_to_atom("-elsewise " ++ atom_to_list(F)).

%% `module_info` asks for the module by its name, which a copy has changed.
module_info(Fun, #env{module = Name, target = Name}) ->
    Fun;
module_info(Fun, #env{target = Target}) ->
    Vars = cerl:fun_vars(Fun),
    cerl:c_fun(Vars, cerl:c_call(cerl:abstract(erlang), cerl:abstract(get_module_info),
                                 [cerl:abstract(Target) | Vars])).

%% Numbers: of variables within a function, of sites and clauses over all modules of the VM.
bind(Vars, Env) ->
    lists:mapfoldl(fun(Var, E) -> bind_one(cerl:var_name(Var), E) end, Env, Vars).

bind_one(Name, #env{vars = Vars} = Env) ->
    N = get(elsewise_vars),
    put(elsewise_vars, N + 1),
    put(elsewise_names, [{Env#env.function, N, name_text(Name)} | get(elsewise_names)]),
    {N, Env#env{vars = Vars#{Name => N}}}.

name_text(Name) when is_atom(Name) -> Name;
name_text(Name) when is_integer(Name) -> list_to_atom("_" ++ integer_to_list(Name));
name_text({Name, _}) -> Name.

clause_id(#env{guard = true}) -> 0;
clause_id(_) -> next(clause).

site(_, _, #env{guard = true}) ->
    0;
site(Kind, Sides, #env{function = {F, A}, line = Line, column = Column}) ->
    Site = next(site),
    put(elsewise_sites, [{Site, Line, Column, F, A, Sides, Kind} | get(elsewise_sites)]),
    Site.

next(Kind) ->
    N = case get({elsewise_next, Kind}) of
            undefined -> 1;
            Last -> Last
        end,
    put({elsewise_next, Kind}, N + 1),
    N.

place(Node, Env) ->
    place_in(cerl:get_ann(Node), Env).

place_in([{Line, Column} | _], Env) when is_integer(Line), is_integer(Column) ->
    Env#env{line = Line, column = Column};
place_in([Line | _], Env) when is_integer(Line) ->
    Env#env{line = Line, column = 0};
place_in([_ | Rest], Env) ->
    place_in(Rest, Env);
place_in([], Env) ->
    Env.

generated(Node) ->
    lists:member(compiler_generated, cerl:get_ann(Node)).

%% What is written into the code where a clause is taken, as long as there is room in the word:
%% elsewise_cell:set(Cell, element(1, Cell) * ?SHIFT + Id).
emit_clause(_, Body, #env{guard = true}) ->
    Body;
emit_clause(Id, Body, _) when Id >= ?SHIFT ->
    cerl:ann_c_seq([compiler_generated], own(elsewise_rt, e, [cerl:abstract(Id)]), Body);
emit_clause(Id, Body, _) ->
    Name = fun(Part) -> cerl:c_var(list_to_atom(lists:concat([elw_c, Id, '_', Part]))) end,
    [Word | _] = Parts = [Name(Part) || Part <- lists:seq(1, ?FULL + 2)],
    Cell = Name(cell),
    Moved = own(erlang, '*', [Word, cerl:abstract(?SHIFT)]),
    Set = own(elsewise_cell, set, [Cell, own(erlang, '+', [Moved, cerl:abstract(Id)])]),
    Room = own(erlang, '<', [Word, cerl:abstract(?ROOM)]),
    Anno = [compiler_generated],
    %% A process that has no cell yet has no room, either.
    Case = cerl:ann_c_case(Anno, Cell,
                           [cerl:ann_c_clause(Anno, [cerl:c_tuple(Parts)], Room, Set),
                            cerl:ann_c_clause(Anno, [Name(none)], cerl:abstract(true),
                                              own(elsewise_rt, e, [cerl:abstract(Id)]))]),
    Get = own(erlang, get, [cerl:abstract(elw_n)]),
    cerl:ann_c_let(Anno, [Cell], Get, cerl:ann_c_seq(Anno, Case, Body)).

own(M, F, Args) ->
    cerl:ann_c_call([compiler_generated], cerl:abstract(M), cerl:abstract(F), Args).

%% All other events.
emit(Event, Body, _) ->
    cerl:ann_c_seq([compiler_generated], own(elsewise_rt, event, [Event]), Body).

rt(Node, Function, Args) ->
    cerl:ann_c_call(cerl:get_ann(Node), cerl:abstract(elsewise_rt), cerl:abstract(Function), Args).

%% Expressions: the instrumented code, and the IR.
expr(Node, Env0) ->
    Env = place(Node, Env0),
    case cerl:type(Node) of
        literal -> {Node, {lit, cerl:concrete(Node)}};
        var -> variable(Node, Env);
        cons ->
            {H, HI} = expr(cerl:cons_hd(Node), Env),
            {T, TI} = expr(cerl:cons_tl(Node), Env),
            {cerl:update_c_cons(Node, H, T), {cons, HI, TI}};
        tuple ->
            {Es, Is} = exprs(cerl:tuple_es(Node), Env),
            {cerl:update_c_tuple(Node, Es), {tuple, Is}};
        values ->
            {Es, Is} = exprs(cerl:values_es(Node), Env),
            {cerl:update_c_values(Node, Es), {values, Is}};
        map -> map(Node, Env);
        binary ->
            {Segments, Is} = lists:unzip([segment(S, Env) || S <- cerl:binary_segments(Node)]),
            {cerl:update_c_binary(Node, Segments), {bin, Is}};
        'let' ->
            {Arg, ArgI} = expr(cerl:let_arg(Node), Env),
            {Vs, Env1} = bind(cerl:let_vars(Node), Env),
            {Body, BodyI} = expr(cerl:let_body(Node), Env1),
            {cerl:update_c_let(Node, cerl:let_vars(Node), Arg, Body), {'let', Vs, ArgI, BodyI}};
        seq ->
            {Arg, ArgI} = expr(cerl:seq_arg(Node), Env),
            {Body, BodyI} = expr(cerl:seq_body(Node), Env),
            {cerl:update_c_seq(Node, Arg, Body), {seq, ArgI, BodyI}};
        'case' -> 'case'(Node, Env);
        'fun' -> 'fun'(Node, Env);
        letrec -> letrec(Node, Env);
        apply -> fun_or_local(Node, Env);
        call -> call(Node, Env);
        primop -> primop(Node, Env);
        'try' -> 'try'(Node, Env);
        'catch' -> 'catch'(Node, Env);
        Kind -> unknown(Kind, Env)
    end.

exprs(Nodes, Env) ->
    lists:unzip([expr(N, Env) || N <- Nodes]).

unknown(What, #env{module = M, function = {F, A}, line = Line}) ->
    error({elsewise, io_lib:format("~ts:~ts/~w, line ~w: cannot follow ~tp", [M, F, A, Line, What])}).

%% A function's name as a value is a fun that calls it, or the BIF that it stands for.
variable(Node, #env{vars = Vars, module = Module} = Env) ->
    case cerl:var_name(Node) of
        {F, A} = Name ->
            case bif(Name, Env) of
                true ->
                    Literals = [cerl:abstract(X) || X <- [Module, F, A]],
                    {cerl:c_call(cerl:abstract(erlang), cerl:abstract(make_fun), Literals),
                     {call, 0, {lit, erlang}, {lit, make_fun}, [{lit, X} || X <- [Module, F, A]]}};
                false ->
                    Site = site('fun', 1, Env),
                    {Vs, _} = lists:mapfoldl(fun(N, E) -> bind_one({fun_parameter, N}, E) end, Env,
                                             lists:seq(1, A)),
                    Call = {local, site(call, 1, Env), Name, [{var, V} || V <- Vs]},
                    {Node, {'fun', Site, Vs, Call, {F, 0}}}
            end;
        Name ->
            {Node, {var, map_get(Name, Vars)}}
    end.

bif({F, A} = Name, #env{bifs = Bifs}) ->
    lists:member(Name, Bifs) orelse F =:= module_info andalso A < 2.

map(Node, Env) ->
    {Base, BaseI} = expr(cerl:map_arg(Node), Env),
    {Pairs, Is} = lists:unzip([pair(P, Env) || P <- cerl:map_es(Node)]),
    {cerl:update_c_map(Node, Base, Pairs), {map, BaseI, Is}}.

pair(Pair, Env) ->
    {K, KI} = expr(cerl:map_pair_key(Pair), Env),
    {V, VI} = expr(cerl:map_pair_val(Pair), Env),
    Op = cerl:map_pair_op(Pair),
    {cerl:update_c_map_pair(Pair, Op, K, V), {cerl:concrete(Op), KI, VI}}.

segment(S, Env) ->
    {V, VI} = expr(cerl:bitstr_val(S), Env),
    {Size, SizeI} = expr(cerl:bitstr_size(S), Env),
    {cerl:update_c_bitstr(S, V, Size, cerl:bitstr_unit(S), cerl:bitstr_type(S),
                          cerl:bitstr_flags(S)),
     {VI, SizeI, unit(S), cerl:concrete(cerl:bitstr_type(S)),
      cerl:concrete(cerl:bitstr_flags(S))}}.

unit(S) -> cerl:concrete(cerl:bitstr_unit(S)).

'fun'(Node, Env) ->
    Site = site('fun', 1, Env),
    {Vs, Env1} = bind(cerl:fun_vars(Node), Env),
    {Body, BodyI} = expr(cerl:fun_body(Node), Env1),
    Name = case lists:keyfind(id, 1, cerl:get_ann(Node)) of
               {id, {Index, _, N}} -> {N, Index};
               false -> {'', 0}
           end,
    {cerl:update_c_fun(Node, cerl:fun_vars(Node), Body), {'fun', Site, Vs, BodyI, Name}}.

letrec(Node, Env) ->
    case elsewise_receive:parts(Node) of
        no ->
            {Defs, Is} = lists:unzip([inner(D, Env) || D <- cerl:letrec_defs(Node)]),
            {Body, BodyI} = expr(cerl:letrec_body(Node), Env),
            {cerl:update_c_letrec(Node, Defs, Body), {letrec, Is, BodyI}};
        {unknown, What} ->
            unknown(What, Env);
        {Message, Clauses, Timeout, TimeoutBody, Rebuild} ->
            'receive'({Message, Clauses, Timeout, TimeoutBody, Rebuild}, Env)
    end.

inner({Name, Fun}, Env) ->
    {Vs, Env1} = bind(cerl:fun_vars(Fun), Env),
    {Body, BodyI} = expr(cerl:fun_body(Fun), Env1),
    {{Name, cerl:update_c_fun(Fun, cerl:fun_vars(Fun), Body)}, {cerl:var_name(Name), Vs, BodyI}}.

%% Between the look at a message and its removal, nothing is written: the mailbox's position is
%% the VM's, and a message that no clause wants is no event.
'receive'({Message, Clauses, Timeout, TimeoutBody, Rebuild}, Env) ->
    Site = site('receive', length(Clauses) + 1, Env),
    {Codes, Is} = lists:unzip([receive_clause(Message, C, Env) || C <- Clauses]),
    {_, TimeoutI} = expr(Timeout, Env),
    {After, AfterI} = expr(TimeoutBody, Env),
    Event = cerl:abstract({r, timeout}),
    Late = emit(Event, After, Env),
    Code = case cerl:is_literal(Timeout) andalso cerl:concrete(Timeout) =:= infinity of
               true -> Rebuild(Codes, Late, Timeout);
               false ->
                   %% How long is asked once, before the mailbox is looked at.
                   Time = cerl:c_var(list_to_atom(lists:concat(["elw_time", Site]))),
                   Ask = cerl:c_call(cerl:abstract(elsewise_sched), cerl:abstract(time), [Timeout]),
                   cerl:c_let([Time], Ask, Rebuild(Codes, Late, Time))
           end,
    {Code, {'receive', Site, Is, TimeoutI, AfterI}}.

receive_clause(Message, {Clause, Removal, Body}, Env0) ->
    Env = place(Clause, Env0),
    Id = clause_id(Env),
    {Pats, Guard, Env1} = head(Clause, Env),
    {Code, BodyI} = expr(Body, Env1),
    Event = cerl:c_tuple([cerl:abstract(r), cerl:abstract(Id), Message]),
    {cerl:update_c_clause(Clause, cerl:clause_pats(Clause), cerl:clause_guard(Clause),
                          cerl:c_seq(Removal, emit(Event, Code, Env))),
     {Id, Pats, Guard, BodyI, Env#env.line, generated(Clause)}}.

%% A case whose first clause takes everything decides nothing, and writes nothing.
'case'(Node, Env) ->
    Arg = cerl:case_arg(Node),
    {Code, Is} = case cerl:type(Arg) of
                     values ->
                         {Es, EIs} = exprs(cerl:values_es(Arg), Env),
                         {cerl:update_c_values(Arg, Es), EIs};
                     _ ->
                         {E, EI} = expr(Arg, Env),
                         {E, [EI]}
                 end,
    Clauses = cerl:case_clauses(Node),
    Silent = silent(hd(Clauses)),
    %% A guard is decided by the engine itself, so that its cases have no numbers.
    Site = case Silent of
               true -> 0;
               false -> site('case', length(Clauses), Env)
           end,
    %% What stands after a clause that takes everything is never run.
    {Live, Dead} = case Silent of
                       true -> {[hd(Clauses)], tl(Clauses)};
                       false -> {Clauses, []}
                   end,
    {Codes, CIs} = lists:unzip([clause(C, Silent, Env) || C <- Live]),
    {cerl:update_c_case(Node, Code, Codes ++ Dead), {'case', Site, Silent, Is, CIs}}.

silent(Clause) ->
    lists:all(fun cerl:is_c_var/1, cerl:clause_pats(Clause)) andalso always(Clause).

always(Clause) ->
    Guard = cerl:clause_guard(Clause),
    cerl:is_literal(Guard) andalso cerl:concrete(Guard) =:= true.

clause(Clause, Silent, Env0) ->
    Env = place(Clause, Env0),
    Id = case Silent of
             true -> 0;
             false -> clause_id(Env)
         end,
    {Pats, Guard, Env1} = head(Clause, Env),
    {Body, BodyI} = expr(cerl:clause_body(Clause), Env1),
    Code = case Silent of
               true -> Body;
               false -> emit_clause(Id, Body, Env)
           end,
    {cerl:update_c_clause(Clause, cerl:clause_pats(Clause), cerl:clause_guard(Clause), Code),
     {Id, Pats, Guard, BodyI, Env#env.line, generated(Clause)}}.

head(Clause, Env) ->
    {Pats, Env1} = lists:mapfoldl(fun pattern/2, Env, cerl:clause_pats(Clause)),
    {_, Guard} = expr(cerl:clause_guard(Clause), Env1#env{guard = true}),
    {Pats, Guard, Env1}.

%% Patterns are read from left to right: the size of a segment may be a variable bound before it.
pattern(Node, Env) ->
    case cerl:type(Node) of
        literal -> {{lit, cerl:concrete(Node)}, Env};
        var ->
            {V, Env1} = bind_one(cerl:var_name(Node), Env),
            {{var, V}, Env1};
        alias ->
            {P, Env1} = pattern(cerl:alias_pat(Node), Env),
            {V, Env2} = bind_one(cerl:var_name(cerl:alias_var(Node)), Env1),
            {{alias, V, P}, Env2};
        cons ->
            {H, Env1} = pattern(cerl:cons_hd(Node), Env),
            {T, Env2} = pattern(cerl:cons_tl(Node), Env1),
            {{cons, H, T}, Env2};
        tuple ->
            {Ps, Env1} = lists:mapfoldl(fun pattern/2, Env, cerl:tuple_es(Node)),
            {{tuple, Ps}, Env1};
        map ->
            {Ps, Env1} = lists:mapfoldl(fun key_pattern/2, Env, cerl:map_es(Node)),
            {{map, Ps}, Env1};
        binary ->
            {Ps, Env1} = lists:mapfoldl(fun segment_pattern/2, Env, cerl:binary_segments(Node)),
            {{bin, Ps}, Env1};
        Kind -> unknown({pattern, Kind}, Env)
    end.

key_pattern(Pair, Env) ->
    {_, Key} = expr(cerl:map_pair_key(Pair), Env#env{guard = true}),
    {P, Env1} = pattern(cerl:map_pair_val(Pair), Env),
    {{Key, P}, Env1}.

segment_pattern(S, Env) ->
    {_, Size} = expr(cerl:bitstr_size(S), Env#env{guard = true}),
    {P, Env1} = pattern(cerl:bitstr_val(S), Env),
    {{P, Size, unit(S), cerl:concrete(cerl:bitstr_type(S)), cerl:concrete(cerl:bitstr_flags(S))},
     Env1}.

fun_or_local(Node, Env) ->
    Op = cerl:apply_op(Node),
    Args = cerl:apply_args(Node),
    case cerl:is_c_fname(Op) of
        true ->
            local(Node, cerl:var_name(Op), exprs(Args, Env), Env);
        false ->
            cerl:is_c_var(Op) orelse unknown({'fun', cerl:type(Op)}, Env),
            Site = site(call, 1, Env),
            {F, FI} = expr(Op, Env),
            {As, Is} = exprs(Args, Env),
            {application(Node, F, As), {apply, Site, FI, Is}}
    end.

%% Which way a fun goes can only be told by its value. What is no fun of that arity fails here, in
%% the function that the subject's author would look for in the stack.
application(Node, F, Args) ->
    Is = cerl:c_call(cerl:abstract(erlang), cerl:abstract(is_function),
                     [F, cerl:abstract(length(Args))]),
    Anno = [compiler_generated],
    cerl:ann_c_case(Anno, cerl:c_values([]),
                    [cerl:ann_c_clause(Anno, [], Is, fun_call(Node, F, Args)),
                     cerl:ann_c_clause(Anno, [], cerl:abstract(true),
                                       cerl:update_c_apply(Node, F, Args))]).

fun_call(Node, F, [A]) -> rt(Node, a1, [F, A]);
fun_call(Node, F, [A, B]) -> rt(Node, a2, [F, A, B]);
fun_call(Node, F, Args) -> rt(Node, a, [F, cerl:make_list(Args)]).

local(Node, {F, A} = Name, {As, Is}, #env{module = Module} = Env) ->
    case bif(Name, Env) of
        true ->
            M = cerl:abstract(Module),
            known(Node, {Module, F, A}, {M, cerl:abstract(F), As}, Is, Env);
        false ->
            Site = site(call, 1, Env),
            {cerl:update_c_apply(Node, cerl:apply_op(Node), As), {local, Site, Name, Is}}
    end.

call(Node, Env) ->
    M = cerl:call_module(Node),
    F = cerl:call_name(Node),
    {As, Is} = exprs(cerl:call_args(Node), Env),
    case cerl:is_c_atom(M) andalso cerl:is_c_atom(F) of
        true ->
            Mfa = {cerl:concrete(M), cerl:concrete(F), length(As)},
            known(Node, Mfa, {M, F, As}, Is, Env);
        false ->
            Site = site(call, 1, Env),
            {MC, MI} = expr(M, Env),
            {FC, FI} = expr(F, Env),
            {rt(Node, c, [MC, FC, cerl:make_list(As)]), {call, Site, MI, FI, Is}}
    end.

known(Node, {M, F, _} = Mfa, {MC, FC, As}, Is, #env{decide = Decide} = Env) ->
    Anno = cerl:get_ann(Node),
    {Kind, Code} =
        case Env#env.guard orelse Decide(Mfa) of
            true -> {primitive, Node};
            primitive -> {primitive, cerl:ann_c_call(Anno, MC, FC, As)};
            plain -> {call, cerl:ann_c_call(Anno, MC, FC, As)};
            {redirect, M2, F2} ->
                {call, cerl:ann_c_call(Anno, cerl:abstract(M2), cerl:abstract(F2), As)};
            apply -> {call, rt(Node, apply, As)};
            opaque -> {call, rt(Node, o, [MC, FC, cerl:make_list(As)])}
        end,
    Site = case Kind of
               primitive -> 0;
               call -> site(call, 1, Env)
           end,
    {Code, {call, Site, {lit, M}, {lit, F}, Is}}.

primop(Node, Env) ->
    Name = cerl:concrete(cerl:primop_name(Node)),
    {As, Is} = exprs(cerl:primop_args(Node), Env),
    Code = cerl:update_c_primop(Node, cerl:primop_name(Node), As),
    case {Name, length(As)} of
        {match_fail, 1} -> {Code, {primop, site(call, 1, Env), Name, Is}};
        {raise, 2} -> {Code, {primop, site(call, 1, Env), Name, Is}};
        {raw_raise, 3} -> {Code, {primop, site(call, 1, Env), Name, Is}};
        %% What the stack is, the engine can only be told: the end of an opaque call.
        {build_stacktrace, 1} -> {rt(Node, stack, [Code]), {primop, 0, Name, Is}};
        %% An empty binary that has room to grow.
        {bs_init_writable, 1} -> {Code, {lit, <<>>}};
        {nif_start, 0} -> {Code, {lit, ok}};
        Unknown -> unknown({primop, Unknown}, Env)
    end.

'try'(Node, Env) ->
    {Arg, ArgI} = expr(cerl:try_arg(Node), Env),
    {Vs, Env1} = bind(cerl:try_vars(Node), Env),
    {Body, BodyI} = expr(cerl:try_body(Node), Env1),
    Evars = cerl:try_evars(Node),
    {Es, Env2} = bind(Evars, Env),
    {Handler, HandlerI} = expr(cerl:try_handler(Node), Env2),
    {cerl:update_c_try(Node, Arg, cerl:try_vars(Node), Body, Evars,
                       emit(caught(Evars), Handler, Env)),
     {'try', ArgI, Vs, BodyI, Es, HandlerI}}.

caught([Class, Reason | _]) ->
    cerl:c_tuple([cerl:abstract(caught), Class, Reason]).

%% `catch E` has no handler to write into: it is told as the try that it means.
'catch'(Node, #env{function = {F, A}} = Env) ->
    Name = fun(What) -> cerl:c_var(list_to_atom(lists:concat([What, '@', F, '/', A]))) end,
    [V, Class, Reason, Trace, Stack] = [Name(W) || W <- [value, class, reason, trace, stack]],
    Exit = cerl:abstract('EXIT'),
    Build = cerl:c_primop(cerl:abstract(build_stacktrace), [Trace]),
    Error = cerl:c_let([Stack], Build,
                       cerl:c_tuple([Exit, cerl:c_tuple([Reason, Stack])])),
    Clause = fun(Pattern, Body) -> cerl:ann_c_clause([compiler_generated], [Pattern], Body) end,
    Handler = cerl:ann_c_case(cerl:get_ann(Node), Class,
                              [Clause(cerl:abstract(throw), Reason),
                               Clause(cerl:abstract(exit), cerl:c_tuple([Exit, Reason])),
                               Clause(cerl:abstract(error), Error)]),
    expr(cerl:ann_c_try(cerl:get_ann(Node), cerl:catch_body(Node), [V], V,
                        [Class, Reason, Trace], Handler),
         Env).
