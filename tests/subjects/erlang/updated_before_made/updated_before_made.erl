%% `:=` changes only keys that a map has; `again` may be said of what has never been added.
-module(updated_before_made).
-export([counts/1]).

-type key() :: a | b.

-spec counts([{add | again, key()}]) -> #{key() => pos_integer()}.
counts(Events) -> lists:foldl(fun count/2, #{}, Events).

-ifdef(REPAIRED).
count({add, Key}, Counts) -> Counts#{Key => 1};
count({again, Key}, Counts) -> Counts#{Key => maps:get(Key, Counts, 0) + 1}.
-else.
count({add, Key}, Counts) -> Counts#{Key => 1};
count({again, Key}, Counts) -> Counts#{Key := 2}. % fails here
-endif.
