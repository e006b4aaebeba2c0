%% Inputs and order together: only an amount of fifty or more, and only if the withdrawal is first.
-module(withdrawn_before_paid).
-export([run/1]).

-spec run(0..100) -> refused | 0..200.
run(Amount) ->
    Self = self(),
    Account = spawn(fun() -> account(0) end),
    spawn(fun() -> Account ! {pay, Amount}, Self ! paid end),
    Account ! {withdraw, 50, self()},
    Answer = receive {account, Balance} -> Balance end,
    receive paid -> ok end,
    checked(Answer, Amount).

-ifdef(REPAIRED).
checked(Answer, _) -> Answer.
-else.
checked(refused, Amount) when Amount >= 50 -> error(refused); % fails here
checked(Answer, _) -> Answer.
-endif.

account(Balance) ->
    receive
        {pay, Amount} -> account(Balance + Amount);
        {withdraw, Amount, From} when Amount =< Balance ->
            From ! {account, Balance - Amount},
            account(Balance - Amount);
        {withdraw, _, From} ->
            From ! {account, refused},
            account(Balance)
    end.
