%% Whoever wants to hear nothing says `none`, and is called all the same.
-module(nobody_to_call).
-export([finish/1]).

-spec finish(#{status := integer(), done => none | fun((integer()) -> atom())}) -> atom().
-ifdef(REPAIRED).
finish(#{status := 0, done := Done}) when is_function(Done) -> Done(0);
finish(_) -> ok.
-else.
finish(#{status := 0, done := Done}) -> Done(0); % fails here
finish(_) -> ok.
-endif.
