%% A function as input: what is tried again after error 7 is taken for certain to succeed.
-module(retried_once).
-export([retried/1]).

-spec retried(fun((1..2) -> {ok, integer()} | {error, integer()})) -> integer() | none.
retried(Try) ->
    case Try(1) of
        {ok, Value} -> Value;
        {error, 7} -> again(Try);
        {error, _} -> none
    end.

-ifdef(REPAIRED).
again(Try) ->
    case Try(2) of
        {ok, Value} -> Value;
        {error, _} -> none
    end.
-else.
again(Try) ->
    {ok, Value} = Try(2), % fails here
    Value.
-endif.
