%% That there is an article is known, but a comprehension leaves out those that are free.
-module(first_of_none_left).
-export([price/2]).

-type article() :: tea | coffee.

-spec price(article(), [{article(), integer()}]) -> integer().
-ifdef(REPAIRED).
price(Article, List) ->
    case [Price || {Name, Price} <- List, Name =:= Article, Price > 0] of
        [] -> 0;
        [Price | _] -> Price
    end.
-else.
price(Article, List) ->
    case lists:keymember(Article, 1, List) of
        false -> 0;
        true -> hd([Price || {Name, Price} <- List, Name =:= Article, Price > 0]) % fails here
    end.
-endif.
