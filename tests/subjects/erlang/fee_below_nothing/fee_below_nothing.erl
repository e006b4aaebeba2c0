%% Nested cases: a fee that falls with the years of membership, down to below nothing for a child that
%% has been a member for long.
-module(fee_below_nothing).
-export([fee/2]).

-spec fee(0..120, guest | {member, 0..99}) -> 0..99.
-ifdef(REPAIRED).
fee(Age, Who) ->
    Kind = case Age of
        _ when Age < 18 -> child;
        _ when Age >= 65 -> senior;
        _ -> adult
    end,
    case {Kind, Who} of
        {adult, guest} -> 20;
        {adult, {member, Years}} -> max(0, 15 - Years);
        {child, {member, Years}} when Years > 10 -> 0;
        {_, {member, Years}} ->
            Left = 10 - Years,
            full(Left, Kind);
        _ -> 5
    end.
-else.
fee(Age, Who) ->
    Kind = case Age of
        _ when Age < 18 -> child;
        _ when Age >= 65 -> senior;
        _ -> adult
    end,
    case {Kind, Who} of
        {adult, guest} -> 20;
        {adult, {member, Years}} -> max(0, 15 - Years);
        {_, {member, Years}} ->
            Left = 10 - Years,
            full(Left, Kind);
        _ -> 5
    end.
-endif.

-ifdef(REPAIRED).
full(Left, _) -> max(0, Left).
-else.
full(Left, senior) -> max(0, Left);
full(Left, child) ->
    true = Left >= 0, % fails here
    Left.
-endif.
