%% After CutEr's functions as inputs: what a function gives for what it gave for two numbers.
-module(applied_twice).
-export([twice/3]).

-spec twice(fun((integer()) -> integer()), integer(), integer()) -> same | other.
twice(F, X, Y) ->
    case F(F(X)) of
        42 -> second(F(F(Y)));
        _ -> other
    end.

-ifdef(REPAIRED).
second(_) -> same.
-else.
second(17) -> error(bug); % fails here
second(_) -> same.
-endif.
