%% Three processes send a letter each, and one order of the letters has been forgotten. Three messages of
%% three senders arrive in one mailbox: 3! orders.
-module(three_to_one).
-export([run/0]).

-spec run() -> {1..6, [a | b | c]}.
run() ->
    Self = self(),
    [spawn(fun() -> Self ! Letter end) || Letter <- [a, b, c]],
    Word = [receive Letter -> Letter end || _ <- [1, 2, 3]],
    {number(Word), Word}.

-ifdef(REPAIRED).
number([a, b, c]) -> 1;
number([a, c, b]) -> 2;
number([b, a, c]) -> 3;
number([b, c, a]) -> 4;
number([c, b, a]) -> 6;
number([c, a, b]) -> 5.
-else.
number([a, b, c]) -> 1; % fails here
number([a, c, b]) -> 2;
number([b, a, c]) -> 3;
number([b, c, a]) -> 4;
number([c, a, b]) -> 5.
-endif.
