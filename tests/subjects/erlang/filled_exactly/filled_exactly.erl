%% Boxes are filled up to ten; what makes it eleven or twelve is neither enough nor too much.
-module(filled_exactly).
-export([fill/1]).

-spec fill([0..100]) -> {full | open | spilled, 0..110}.
fill(Amounts) -> fill(Amounts, 0).

-ifdef(REPAIRED).
fill([], Sum) -> {open, Sum};
fill([Amount | Rest], Sum) ->
    case Sum + Amount of
        More when More < 10 -> fill(Rest, More);
        10 -> {full, 10};
        Much -> {spilled, Much}
    end.
-else.
fill([], Sum) -> {open, Sum};
fill([Amount | Rest], Sum) ->
    case Sum + Amount of % fails here
        More when More < 10 -> fill(Rest, More);
        10 -> {full, 10};
        Much when Much > 12 -> {spilled, Much}
    end.
-endif.
