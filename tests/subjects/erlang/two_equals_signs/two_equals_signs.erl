%% Strings: a line of a configuration has one `=` at least, and not always one at most.
-module(two_equals_signs).
-export([setting/1]).

-spec setting([$a..$c | $=]) -> {string(), string()} | none.
setting(Line) ->
    case lists:member($=, Line) of
        true -> parts(Line);
        false -> none
    end.

-ifdef(REPAIRED).
parts(Line) ->
    {Key, [$= | Value]} = lists:splitwith(fun(C) -> C =/= $= end, Line),
    {Key, Value}.
-else.
parts(Line) ->
    [Key, Value] = split(Line, []), % fails here
    {Key, Value}.

split([], Sofar) -> [lists:reverse(Sofar)];
split([$= | Rest], Sofar) -> [lists:reverse(Sofar) | split(Rest, [])];
split([C | Rest], Sofar) -> split(Rest, [C | Sofar]).
-endif.
