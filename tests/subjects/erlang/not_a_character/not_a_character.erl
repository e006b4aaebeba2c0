%% Not all bytes are characters in UTF-8.
-module(not_a_character).
-export([second/1]).

-spec second(binary()) -> char() | none.
-ifdef(REPAIRED).
second(<<_/utf8, Rest/binary>>) ->
    case Rest of
        <<>> -> none;
        <<Character/utf8, _/binary>> -> Character;
        _ -> none
    end;
second(_) ->
    none.
-else.
second(<<_/utf8, Rest/binary>>) ->
    case Rest of % fails here
        <<>> -> none;
        <<Character/utf8, _/binary>> -> Character
    end;
second(_) ->
    none.
-endif.
