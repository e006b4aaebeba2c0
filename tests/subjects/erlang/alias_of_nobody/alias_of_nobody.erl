%% An entry that refers to another one is followed without asking whether that one is there.
-module(alias_of_nobody).
-export([number/2]).

-type name() :: home | work | away.
-type entry() :: {name(), integer() | {same_as, name()}}.

-spec number(name(), [entry()]) -> integer() | none.
number(Name, Book) ->
    case lists:keyfind(Name, 1, Book) of
        false -> none;
        {_, {same_as, Other}} -> second(Other, Book);
        {_, Number} -> Number
    end.

-ifdef(REPAIRED).
second(Name, Book) ->
    case lists:keyfind(Name, 1, Book) of
        {_, Number} when is_integer(Number) -> Number;
        _ -> none
    end.
-else.
second(Name, Book) ->
    {_, Number} = lists:keyfind(Name, 1, Book), % fails here
    case Number of
        {same_as, _} -> none;
        _ -> Number
    end.
-endif.
