%% An option that is not given is `undefined`, which only shows when another one is given.
-module(retries_without_timeout).
-export([longest/1]).

-type option() :: {timeout, pos_integer()} | {retries, non_neg_integer()} | verbose.

-spec longest([option()]) -> non_neg_integer().
longest(Options) ->
    case proplists:get_value(retries, Options, 0) of
        0 -> 0;
        Retries -> Retries * timeout(Options) % fails here
    end.

-ifdef(REPAIRED).
timeout(Options) -> proplists:get_value(timeout, Options, 5000).
-else.
timeout(Options) -> proplists:get_value(timeout, Options).
-endif.
