%% Handlers have one argument or two; the guard asks only whether it is a function.
-module(handler_of_two).
-export([handle/2]).

-type handler() :: fun((integer()) -> integer()) | fun((integer(), integer()) -> integer()).

-spec handle(handler(), integer()) -> integer().
-ifdef(REPAIRED).
handle(_, Event) when Event < 5 -> Event;
handle(Handler, Event) when is_function(Handler, 2) -> Handler(Event, 0);
handle(Handler, Event) when is_function(Handler, 1) -> Handler(Event).
-else.
handle(_, Event) when Event < 5 -> Event;
handle(Handler, Event) when is_function(Handler) -> Handler(Event). % fails here
-endif.
