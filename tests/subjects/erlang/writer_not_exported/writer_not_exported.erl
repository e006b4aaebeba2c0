%% A function that is called by a name from a table, and that nobody has exported.
-module(writer_not_exported).
-ifdef(REPAIRED).
-export([write/2, plain/1, json/1, xml/1]).
-else.
-export([write/2, plain/1, json/1]).
-compile({nowarn_unused_function, [{xml, 1}]}).
-endif.

-spec write(plain | json | xml, 0..9999) -> iolist().
write(Format, N) when N > 3 -> [?MODULE:Format(N), $\n]; % fails here
write(_, _) -> [].

plain(N) -> [integer_to_list(N)].
json(N) -> ["{\"n\":", integer_to_list(N), "}"].
xml(N) -> ["<n>", integer_to_list(N), "</n>"].
