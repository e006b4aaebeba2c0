%% Negative numbers are thrown out, and caught only where numbers stand alone.
-module(thrown_too_far).
-export([total/1]).

-spec total([integer() | {pair, integer(), integer()}]) -> non_neg_integer().
total([]) -> 0;
total([{pair, A, B} | Rest]) -> pair(A, B) + total(Rest);
total([N | Rest]) -> alone(N) + total(Rest).

-ifdef(REPAIRED).
pair(A, B) -> alone(A) + alone(B).
-else.
pair(A, B) -> positive(A) + positive(B).
-endif.

alone(N) ->
    try positive(N)
    catch {negative, _} -> 0
    end.

positive(N) when N >= 0 -> N;
positive(N) -> throw({negative, N}). % fails here
