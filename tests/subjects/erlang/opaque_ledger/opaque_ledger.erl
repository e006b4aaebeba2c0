%% An opaque type that only its own functions make: a closed ledger still takes deposits.
-module(opaque_ledger).
-export([replay/1]).
-export_type([ledger/0]).
-include_lib("stdlib/include/assert.hrl").

-record(ledger, {open = true :: boolean(), balance = 0 :: non_neg_integer()}).
-opaque ledger() :: #ledger{}.
-type event() :: {deposit, pos_integer()} | close | reopen.

-spec replay([event()]) -> ledger().
replay(Events) -> lists:foldl(fun apply_event/2, #ledger{}, Events).

apply_event({deposit, Amount}, #ledger{balance = Balance} = Ledger) ->
    After = deposit(Ledger, Amount),
    ?assertNot(After#ledger.balance =/= Balance andalso not Ledger#ledger.open), % fails here
    After;
apply_event(close, #ledger{balance = Balance} = Ledger) when Balance > 0 ->
    Ledger#ledger{open = false};
apply_event(reopen, Ledger) ->
    Ledger#ledger{open = true};
apply_event(_, Ledger) ->
    Ledger.

-ifdef(REPAIRED).
deposit(#ledger{open = false} = Ledger, _) -> Ledger;
deposit(#ledger{balance = Balance} = Ledger, Amount) -> Ledger#ledger{balance = Balance + Amount}.
-else.
deposit(#ledger{balance = Balance} = Ledger, Amount) -> Ledger#ledger{balance = Balance + Amount}.
-endif.
