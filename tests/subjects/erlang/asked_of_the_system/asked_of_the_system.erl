%% Waits for a process of the system that takes its time: that is no deadlock.
-module(asked_of_the_system).
-export([worked/1]).
-include_lib("stdlib/include/assert.hrl").

-spec worked(0..9) -> ok.
worked(Hours) ->
    ok = rpc:call(node(), timer, sleep, [60]),
    ?assert(pay(Hours) > 0), % fails here
    ok.

-ifdef(REPAIRED).
pay(Hours) -> Hours + 1.
-else.
pay(7) -> 0;
pay(Hours) -> Hours + 1.
-endif.
