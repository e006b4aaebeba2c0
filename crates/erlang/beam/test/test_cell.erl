%% The cell that is changed where it is, against the one that is put anew each time.
-module(test_cell).
-export([main/1]).

main(_) ->
    rand:seed(exsss, {1, 2, 3}),
    Histories = [history(rand:uniform(400)) || _ <- lists:seq(1, 300)],
    %% Other tests may have put the twin into its place.
    code:purge(elsewise_cell),
    {module, _} = code:load_file(elsewise_cell),
    false = is_faster(),
    Slow = [kept(History) || History <- Histories],
    true = elsewise_cell:faster(),
    true = is_faster(),
    Fast = [kept(History) || History <- Histories],
    Differences = [{History, {slow, S}, {fast, F}}
                   || {History, S, F} <- lists:zip3(Histories, Slow, Fast), S =/= F],
    Wrong = [{History, S} || {History, S} <- lists:zip(Histories, Slow), read(S) =/= History],
    {2 * length(Histories), Differences ++ Wrong}.

%% The twin says nothing of itself.
is_faster() ->
    not erlang:function_exported(elsewise_cell, module_info, 1).

%% Clauses of small and large numbers, and what else may happen.
history(Length) ->
    [case rand:uniform(30) of
         1 -> {v, rand:uniform(9)};
         2 -> {c, 2047 + rand:uniform(9)};
         _ -> rand:uniform(2047)
     end || _ <- lists:seq(1, Length)].

%% In a process of its own, which may have no cell at first, and whose garbage is collected.
kept(History) ->
    {_, Monitor} = spawn_monitor(fun() ->
        length(History) rem 2 =:= 0 andalso put(elw, []) =:= undefined andalso elsewise_cell:new(),
        [begin
             note(Event),
             N rem 50 =:= 0 andalso garbage_collect()
         end || {N, Event} <- lists:zip(lists:seq(1, length(History)), History)],
        exit({kept, elsewise_rt:take_events()})
    end),
    receive {'DOWN', Monitor, process, _, {kept, Bytes}} -> Bytes end.

%% As it is written into a clause.
note(Id) when is_integer(Id) ->
    case get(elw_n) of
        Cell when element(1, Cell) < 1 bsl 45 -> elsewise_cell:set(Cell, element(1, Cell) * 2048 + Id);
        _ -> elsewise_rt:e(Id)
    end;
note({c, Id}) -> elsewise_rt:e(Id);
note(Event) -> elsewise_rt:event(Event).

read(<<16#FFFFFFFF:32, Size:32, Term:Size/binary, Rest/binary>>) -> [binary_to_term(Term) | read(Rest)];
read(<<Word:64, Rest/binary>>) -> clauses(Word, []) ++ read(Rest);
read(<<>>) -> [].

clauses(1, Ids) -> Ids;
clauses(Word, Ids) -> clauses(Word div 2048, [Word rem 2048 | Ids]).
