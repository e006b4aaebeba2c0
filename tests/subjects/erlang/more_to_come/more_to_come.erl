%% What a `try` gives is matched as in a `case`, and one of the results has been forgotten.
-module(more_to_come).
-export([read/1]).

-spec read([32..126]) -> {ok, string()} | incomplete | wrong.
-ifdef(REPAIRED).
read(Text) ->
    try quoted(Text) of
        {ok, Inside} -> {ok, Inside};
        {more, _} -> incomplete;
        empty -> incomplete
    catch
        throw:unexpected -> wrong
    end.
-else.
read(Text) ->
    try quoted(Text) of % fails here
        {ok, Inside} -> {ok, Inside};
        empty -> incomplete
    catch
        throw:unexpected -> wrong
    end.
-endif.

quoted([$" | Rest]) -> inside(Rest, []);
quoted([]) -> empty;
quoted(_) -> throw(unexpected).

inside([$"], Sofar) -> {ok, lists:reverse(Sofar)};
inside([$" | _], _) -> throw(unexpected);
inside([Character | Rest], Sofar) -> inside(Rest, [Character | Sofar]);
inside([], []) -> empty;
inside([], Sofar) -> {more, Sofar}.
