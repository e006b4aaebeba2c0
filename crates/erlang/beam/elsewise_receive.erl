%% The parts of a `receive`, which OTP 23 and later spell as a loop of primops.
-module(elsewise_receive).
-export([parts/1]).

%% `no`: an ordinary letrec. Otherwise the variable that holds the message, the clauses each with
%% its removal and the body after it, the timeout with its body, and a function that puts changed
%% clauses, a changed timeout's body and a changed timeout back in place. A loop of primops of another shape is
%% `{unknown, What}`: nothing may be written into it.
-spec parts(cerl:cerl()) ->
    no
    | {unknown, term()}
    | {cerl:cerl(), [{cerl:cerl(), cerl:cerl(), cerl:cerl()}], cerl:cerl(), cerl:cerl(),
       fun(([cerl:cerl()], cerl:cerl(), cerl:cerl()) -> cerl:cerl())}.
parts(Letrec) ->
    case cerl:letrec_defs(Letrec) of
        [{Name, Fun}] ->
            case receives(cerl:var_name(Name)) of
                true -> loop(Letrec, Name, Fun, cerl:fun_body(Fun));
                false -> no
            end;
        _ ->
            no
    end.

receives({Name, 0}) -> lists:prefix("recv$^", atom_to_list(Name));
receives(_) -> false.

loop(Letrec, Name, Fun, Let) ->
    Again = fun(Body) ->
        cerl:update_c_letrec(Letrec, [{Name, cerl:update_c_fun(Fun, [], Body)}],
                             cerl:letrec_body(Letrec))
    end,
    case cerl:is_c_let(Let) andalso {primop(cerl:let_arg(Let)), cerl:let_vars(Let)} of
        {recv_wait_timeout, [_]} ->
            {Timeout, Body, Put} = waiting(Let),
            {none, [], Timeout, Body, fun([], After, Time) -> Again(Put(After, Time)) end};
        {recv_peek_message, [_, Message]} ->
            peeking(Let, Message, Again);
        Other ->
            {unknown, {'receive', Other}}
    end.

primop(Node) ->
    cerl:type(Node) =:= primop andalso cerl:concrete(cerl:primop_name(Node)).

%% let T = recv_wait_timeout(Timeout) in case T of true -> Body; false -> again end
waiting(Let) ->
    [Timeout] = cerl:primop_args(cerl:let_arg(Let)),
    Case = cerl:let_body(Let),
    [Timed, Again] = cerl:case_clauses(Case),
    Put = fun(Body, Time) ->
        Clause = cerl:update_c_clause(Timed, cerl:clause_pats(Timed), cerl:clause_guard(Timed), Body),
        Wait = cerl:let_arg(Let),
        cerl:update_c_let(Let, cerl:let_vars(Let),
                          cerl:update_c_primop(Wait, cerl:primop_name(Wait), [Time]),
                          cerl:update_c_case(Case, cerl:case_arg(Case), [Clause, Again]))
    end,
    {Timeout, cerl:clause_body(Timed), Put}.

%% let <Is, M> = recv_peek_message() in
%%   case Is of true -> case M of Clauses; Other -> recv_next, again end; false -> wait end
peeking(Let, Message, Again) ->
    Outer = cerl:let_body(Let),
    [There, Empty] = cerl:case_clauses(Outer),
    Inner = cerl:clause_body(There),
    {Timeout, Body, PutWait} = waiting(cerl:clause_body(Empty)),
    case cerl:type(Inner) =:= 'case' andalso split(cerl:case_clauses(Inner), []) of
        {ok, Clauses, Others} ->
            Put = fun(Changed, After, Time) ->
                Case = cerl:update_c_case(Inner, cerl:case_arg(Inner), Changed ++ Others),
                Waiting = with_body(Empty, PutWait(After, Time)),
                Again(cerl:update_c_let(
                    Let, cerl:let_vars(Let), cerl:let_arg(Let),
                    cerl:update_c_case(Outer, cerl:case_arg(Outer),
                                       [with_body(There, Case), Waiting])))
            end,
            {Message, Clauses, Timeout, Body, Put};
        _ ->
            {unknown, "a receive whose patterns take a size or a key from the message"}
    end.

with_body(Clause, Body) ->
    cerl:update_c_clause(Clause, cerl:clause_pats(Clause), cerl:clause_guard(Clause), Body).

split([Clause | Rest], Found) ->
    Body = cerl:clause_body(Clause),
    case cerl:type(Body) =:= seq andalso primop(cerl:seq_arg(Body)) of
        remove_message ->
            split(Rest, [{Clause, cerl:seq_arg(Body), cerl:seq_body(Body)} | Found]);
        recv_next ->
            {ok, lists:reverse(Found), [Clause | Rest]};
        _ ->
            no
    end;
split([], Found) ->
    {ok, lists:reverse(Found), []}.
