%% Lists of bytes and binaries may end in a binary instead of in an empty list.
-module(improper_tail).
-export([count/1]).

-type bytes() :: maybe_improper_list(byte() | binary(), binary() | []).

-spec count(bytes()) -> non_neg_integer().
count(Bytes) -> count(Bytes, 0).

-ifdef(REPAIRED).
count([Byte | Rest], N) when is_integer(Byte) -> count(Rest, N + 1);
count([Binary | Rest], N) -> count(Rest, N + byte_size(Binary));
count(Binary, N) when is_binary(Binary) -> N + byte_size(Binary);
count([], N) -> N.
-else.
count([Byte | Rest], N) when is_integer(Byte) -> count(Rest, N + 1); % fails here
count([Binary | Rest], N) -> count(Rest, N + byte_size(Binary));
count([], N) -> N.
-endif.
