%% A queue and the number of its elements, which is also taken down when there is nothing to take.
-module(counted_twice_down).
-export([run/1]).

-type operation() :: {push, integer()} | pop | peek.

-spec run([operation()]) -> [integer() | empty].
run(Operations) -> run(Operations, queue:new(), 0).

-ifdef(REPAIRED).
run([], _, _) -> [];
run([{push, X} | Rest], Queue, N) ->
    run(Rest, queue:in(X, Queue), N + 1);
run([pop | Rest], Queue, N) ->
    case queue:out(Queue) of
        {{value, X}, Less} -> [X | run(Rest, Less, N - 1)];
        {empty, _} -> [empty | run(Rest, Queue, N)]
    end;
run([peek | Rest], Queue, 0) ->
    [empty | run(Rest, Queue, 0)];
run([peek | Rest], Queue, N) ->
    [queue:get(Queue) | run(Rest, Queue, N)].
-else.
run([], _, _) -> [];
run([{push, X} | Rest], Queue, N) ->
    run(Rest, queue:in(X, Queue), N + 1);
run([pop | Rest], Queue, N) ->
    case queue:out(Queue) of
        {{value, X}, Less} -> [X | run(Rest, Less, N - 1)];
        {empty, _} -> [empty | run(Rest, Queue, N - 1)]
    end;
run([peek | Rest], Queue, 0) ->
    [empty | run(Rest, Queue, 0)];
run([peek | Rest], Queue, N) ->
    [queue:get(Queue) | run(Rest, Queue, N)]. % fails here
-endif.
