%% Names that stand for each other in a circle are followed for ever.
-module(alias_of_itself).
-export([resolve/2]).

-type name() :: a | b | c.

-spec resolve(name(), [{name(), integer() | {same_as, name()}}]) -> integer() | none.
-ifdef(REPAIRED).
resolve(Name, Table) ->
    case lists:keytake(Name, 1, Table) of
        false -> none;
        {value, {_, {same_as, Other}}, Rest} -> resolve(Other, Rest);
        {value, {_, Value}, _} -> Value
    end.
-else.
resolve(Name, Table) ->
    case lists:keyfind(Name, 1, Table) of
        false -> none;
        {_, {same_as, Other}} -> resolve(Other, Table);
        {_, Value} -> Value
    end.
-endif.
