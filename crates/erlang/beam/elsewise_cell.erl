%% The cell in which a process keeps the clauses that it has taken: a tuple under `elw_n` in its
%% dictionary, of the word that is being filled, of how many are full, and of those.
%%
%% What stands here is how the machine's own means do it. To put something into the dictionary takes
%% longer than most clauses do, so that `faster/0` puts a twin of this module into its place that
%% changes the tuple where it is: by an instruction that the compiler itself uses, but only for tuples
%% that nobody else has. Small integers are all that is ever written, of which a collector of garbage
%% need not hear.
-module(elsewise_cell).
-export([new/0, set/2, keep/4, reset/2, faster/0]).
-include("elsewise_events.hrl").

%% One that is no literal, as those are shared.
new() ->
    Cell = setelement(1, erlang:make_tuple(?FULL + 2, 0), 1),
    put(elw_n, Cell),
    Cell.

%% Another word.
set(Cell, Word) ->
    put(elw_n, setelement(1, Cell, Word)).

%% One more that is full, and the next.
keep(Cell, Full, Word, Next) ->
    Kept = setelement(Full + 3, Cell, Word),
    put(elw_n, setelement(1, setelement(2, Kept, Full + 1), Next)).

%% None that is full.
reset(Cell, Word) ->
    put(elw_n, setelement(1, setelement(2, Cell, 0), Word)).

%% Where that cannot be, all stays as it is.
-spec faster() -> boolean().
faster() ->
    try
        %% Elsewhere, words are not small.
        8 = erlang:system_info(wordsize),
        {ok, Code} = beam_asm:module({?MODULE, exports(), [], functions(), 100}, [], [], []),
        code:purge(?MODULE),
        {module, ?MODULE} = code:load_binary(?MODULE, "elsewise_cell", Code),
        true
    catch
        _:_ -> false
    end.

exports() -> [{new, 0}, {set, 2}, {keep, 4}, {reset, 2}, {faster, 0}].

functions() ->
    Cell = {x, 0},
    Write = fun(Value, At) -> {set_tuple_element, Value, Cell, At - 1} end,
    Label = fun(Full) -> 20 + Full end,
    Full = lists:seq(0, ?FULL - 1),
    [function(new, 0, 1,
              [{allocate, 1, 0},
               {init_yregs, {list, [{y, 0}]}},
               {move, {integer, 0}, {x, 1}},
               {move, {integer, ?FULL + 2}, Cell},
               {call_ext, 2, {extfunc, erlang, make_tuple, 2}},
               Write({integer, 1}, 1),
               {move, Cell, {y, 0}},
               {move, Cell, {x, 1}},
               {move, {atom, elw_n}, Cell},
               {call_ext, 2, {extfunc, erlang, put, 2}},
               {move, {y, 0}, Cell},
               {deallocate, 1},
               return]),
     function(set, 2, 3, is_cell(3) ++ [Write({x, 1}, 1), return]),
     function(keep, 4, 5,
              is_cell(5) ++
              [{select_val, {x, 1}, {f, 5},
                {list, lists:append([[{integer, F}, {f, Label(F)}] || F <- Full])}}]
              ++ lists:append([[{label, Label(F)},
                                Write({x, 2}, F + 3), Write({integer, F + 1}, 2), Write({x, 3}, 1),
                                return]
                               || F <- Full])),
     function(reset, 2, 7, is_cell(7) ++ [Write({integer, 0}, 2), Write({x, 1}, 1), return]),
     function(faster, 0, 9, [{move, {atom, true}, Cell}, return])].

function(Name, Arity, Label, Code) ->
    {function, Name, Arity, Label + 1,
     [{label, Label}, {func_info, {atom, ?MODULE}, {atom, Name}, Arity}, {label, Label + 1} | Code]}.

is_cell(Fail) ->
    [{test, is_tuple, {f, Fail}, [{x, 0}]}, {test, test_arity, {f, Fail}, [{x, 0}, ?FULL + 2]}].
