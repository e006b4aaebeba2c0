%% After the example of CutEr's manual: two lists are gone through together, and the second may be the
%% shorter one, by any number of elements. Products of large floats fail as well.
-module(bill).
-export([bill/2]).

-ifdef(REPAIRED).
-spec bill([integer()], [integer()]) -> integer().
-else.
-spec bill([number()], [number()]) -> number().
-endif.
bill(Amounts, Prices) -> bill(Amounts, Prices, 0).

-ifdef(REPAIRED).
bill([Amount | Amounts], [Price | Prices], Sum) ->
    bill(Amounts, Prices, Sum + Amount * Price);
bill(_, [], Sum) -> Sum;
bill([], Extra, Sum) ->
    Sum + lists:sum(Extra).
-else.
bill([Amount | Amounts], [Price | Prices], Sum) -> % fails here
    bill(Amounts, Prices, Sum + Amount * Price); % or here
bill([], Extra, Sum) ->
    Sum + lists:sum(Extra). % or here
-endif.
