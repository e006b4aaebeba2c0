%% A key that need not be there is read as if it were, in one of three modes.
-module(optional_level).
-export([verbosity/1]).

-type settings() :: #{mode := quiet | normal | verbose, level => 1..9}.

-spec verbosity(settings()) -> 0..9.
-ifdef(REPAIRED).
verbosity(#{mode := quiet}) -> 0;
verbosity(#{mode := normal}) -> 1;
verbosity(Settings) -> maps:get(level, Settings, 2).
-else.
verbosity(#{mode := quiet}) -> 0;
verbosity(#{mode := normal}) -> 1;
verbosity(Settings) -> maps:get(level, Settings). % fails here
-endif.
