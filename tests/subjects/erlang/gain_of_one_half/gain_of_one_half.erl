%% Floats: a feedback of exactly one half divides by zero.
-module(gain_of_one_half).
-export([gain/2]).

-spec gain(float(), float()) -> float().
-ifdef(REPAIRED).
gain(X, Feedback) when X > -1.0e3, X < 1.0e3, abs(Feedback - 0.5) > 1.0e-3 ->
    X / (0.5 - Feedback);
gain(_, _) ->
    0.0.
-else.
gain(X, Feedback) when X > -1.0e3, X < 1.0e3, Feedback >= 0.0, Feedback =< 0.5 ->
    X / (0.5 - Feedback); % fails here
gain(_, _) ->
    0.0.
-endif.
