%% Numbers below zero come back to themselves without meeting one.
-module(never_meets_one).
-export([collatz/1]).

-spec collatz(-9..20) -> non_neg_integer().
-ifdef(REPAIRED).
collatz(N) when N < 1 -> 0;
collatz(N) -> steps(N, 0).
-else.
collatz(0) -> 0;
collatz(N) -> steps(N, 0).
-endif.

steps(1, Steps) -> Steps;
steps(N, Steps) when N rem 2 =:= 0 -> steps(N div 2, Steps + 1);
steps(N, Steps) -> steps(3 * N + 1, Steps + 1).
