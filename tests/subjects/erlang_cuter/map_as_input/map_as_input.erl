%% A map as input, any of whose keys may be missing.
-module(map_as_input).
-export([role/1]).

-spec role(#{name => integer(), admin => true | false | maybe}) -> none | user | root.
-ifdef(REPAIRED).
role(#{name := _, admin := true}) -> root;
role(#{name := _}) -> user;
role(_) -> none.
-else.
role(#{name := _, admin := Admin}) ->
    case Admin of % fails here
        true -> root;
        false -> user
    end;
role(#{name := _}) -> user;
role(_) -> none.
-endif.
