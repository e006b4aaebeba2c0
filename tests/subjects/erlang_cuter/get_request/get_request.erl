%% A method of four bytes, then a path that must end with a space.
-module(get_request).
-export([path/1]).

-spec path(binary()) -> binary() | error.
path(<<"GET ", Rest/binary>>) -> until_space(Rest, 0);
path(_) -> error.

-ifdef(REPAIRED).
until_space(Rest, Length) when Length < byte_size(Rest) ->
    case Rest of
        <<Path:Length/binary, " ", _/binary>> -> Path;
        _ -> until_space(Rest, Length + 1)
    end;
until_space(_, _) ->
    error.
-else.
until_space(<<"/", _/binary>> = Rest, Length) ->
    case Rest of
        <<Path:Length/binary, " ", _/binary>> -> Path;
        _ ->
            <<_:Length/binary, _, _/binary>> = Rest, % fails here
            until_space(Rest, Length + 1)
    end;
until_space(_, _) ->
    error.
-endif.
