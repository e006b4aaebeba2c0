%% A search by halves does not come to an end below zero, where `div` rounds up: the middle of -3 and -2
%% is -2, and the upper half is all there was.
-module(halves_below_zero).
-export([first_from/3]).

%% The smallest number between both that is not below the limit, or the last one.
-spec first_from(-99..99, -9..9, -9..9) -> -9..9.
first_from(Limit, Low, High) when Low < High ->
    Middle = middle(Low, High),
    case Middle >= Limit of
        true -> first_from(Limit, Low, Middle);
        false -> first_from(Limit, Middle + 1, High)
    end;
first_from(_, _, High) ->
    High.

-ifdef(REPAIRED).
middle(Low, High) -> (Low + High) bsr 1.
-else.
middle(Low, High) -> (Low + High) div 2.
-endif.
