%% A function as input that decides, for the library, which elements of a list stay; CutEr does not find
%% that none may.
-module(filtered_away).
-export([first/2]).

-spec first(fun((integer()) -> boolean()), [integer()]) -> integer() | none.
-ifdef(REPAIRED).
first(_, []) -> none;
first(Wanted, List) ->
    case lists:filter(Wanted, List) of
        [] -> none;
        [First | _] -> First
    end.
-else.
first(_, []) -> none;
first(Wanted, List) -> hd(lists:filter(Wanted, List)). % fails here
-endif.
