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
            After = Accounts#{From := Have - Amount, To := Has + Amount},
            ?assertEqual(total(Accounts), total(After)),
            {ok, After}
    end.

total(Accounts) -> lists:sum(maps:values(Accounts)).
