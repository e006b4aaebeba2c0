%% Money that is transferred to the account it comes from is not taken away, only added.
-module(bank).
-export([transfer/3]).
-include_lib("eunit/include/eunit.hrl").

-type name() :: alice | bob | carol.

-spec transfer(name(), name(), 1..100) -> {ok, #{name() => integer()}} | {error, funds}.
transfer(From, To, Amount) ->
    transfer(From, To, Amount, #{alice => 0, bob => 20, carol => 50}).

transfer(From, To, Amount, Accounts) ->
    #{From := Have, To := Has} = Accounts,
    case Have < Amount of
        true ->
            {error, funds};
        false ->
            After = moved(From, Have, To, Has, Amount, Accounts),
            ?assertEqual(total(Accounts), total(After)), % fails here
            {ok, After}
    end.

-ifdef(REPAIRED).
moved(Same, _, Same, _, _, Accounts) -> Accounts;
moved(From, Have, To, Has, Amount, Accounts) ->
    Accounts#{From := Have - Amount, To := Has + Amount}.
-else.
moved(From, Have, To, Has, Amount, Accounts) ->
    Accounts#{From := Have - Amount, To := Has + Amount}.
-endif.

total(Accounts) -> lists:sum(maps:values(Accounts)).
