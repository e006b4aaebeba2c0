%% Any term as input, without a spec: atoms are larger than zero as well, and pass for a width.
-module(width_is_an_atom).
-export([area/1]).

-ifdef(REPAIRED).
area({box, Width, Height}) when is_integer(Width), is_integer(Height) -> Width * Height;
area({line, _}) -> 0;
area([]) -> 0.
-else.
area({box, Width, Height}) when Width > 0, Height > 0 -> Width * Height; % fails here
area({line, _}) -> 0;
area([]) -> 0.
-endif.
