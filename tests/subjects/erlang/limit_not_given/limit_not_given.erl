%% A field of a record that nobody has set is `undefined`; only who overdraws the account gets to see it.
-module(limit_not_given).
-export([withdraw/2]).

-record(account, {balance = 0 :: integer(), limit :: pos_integer() | undefined}).

-spec withdraw(#account{}, pos_integer()) -> {ok, #account{}} | refused.
-ifdef(REPAIRED).
withdraw(#account{balance = Balance} = Account, Amount) when Amount =< Balance ->
    {ok, Account#account{balance = Balance - Amount}};
withdraw(#account{limit = undefined}, _) ->
    refused;
withdraw(#account{balance = Balance, limit = Limit} = Account, Amount) ->
    case Amount - Balance - Limit of
        Over when Over > 0 -> refused;
        _ -> {ok, Account#account{balance = Balance - Amount}}
    end.
-else.
withdraw(#account{balance = Balance} = Account, Amount) when Amount =< Balance ->
    {ok, Account#account{balance = Balance - Amount}};
withdraw(#account{balance = Balance, limit = Limit} = Account, Amount) ->
    case Amount - Balance - Limit of % fails here
        Over when Over > 0 -> refused;
        _ -> {ok, Account#account{balance = Balance - Amount}}
    end.
-endif.
