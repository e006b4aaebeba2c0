%% A text that begins with a digit is taken for a number.
-module(digits_until_the_end).
-export([port/1]).

-spec port(binary()) -> integer() | none.
-ifdef(REPAIRED).
port(<<":", Digits/binary>>) when Digits =/= <<>>, byte_size(Digits) =< 5 ->
    case lists:all(fun(C) -> C >= $0 andalso C =< $9 end, binary_to_list(Digits)) of
        true -> binary_to_integer(Digits);
        false -> none
    end;
port(_) ->
    none.
-else.
port(<<":", Digit, _/binary>> = Text) when Digit >= $0, Digit =< $9, byte_size(Text) =< 6 ->
    <<":", Digits/binary>> = Text,
    binary_to_integer(Digits); % fails here
port(_) ->
    none.
-endif.
