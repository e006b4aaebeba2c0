%% Two processes send a header and a body each. What one process sends to another arrives in order, but
%% what the other one sends may come between: 4! / (2! 2!) orders.
-module(headers_and_bodies).
-export([run/0]).

-type message() :: {header | body, left | right}.

-spec run() -> [message()].
run() ->
    Self = self(),
    [spawn(fun() -> Self ! {header, Who}, Self ! {body, Who} end) || Who <- [left, right]],
    Messages = [receive Message -> Message end || _ <- [1, 2, 3, 4]],
    pairs(Messages).

-ifdef(REPAIRED).
pairs(Messages) ->
    [{header, left}, {body, left}] = [Message || {_, left} = Message <- Messages],
    [{header, right}, {body, right}] = [Message || {_, right} = Message <- Messages],
    Messages.
-else.
pairs(Messages) ->
    [{header, A}, {body, A}, {header, B}, {body, B}] = Messages, % fails here
    Messages.
-endif.
