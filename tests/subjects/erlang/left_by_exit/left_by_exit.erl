%% A small machine leaves by `exit` what it does not understand: here an addition that lacks an operand.
-module(left_by_exit).
-export([run/1]).

-type instruction() :: {push, integer()} | add | negate | drop.

-spec run([instruction()]) -> [integer()].
run(Program) -> run(Program, []).

-ifdef(REPAIRED).
run([], Stack) -> Stack;
run([{push, N} | Rest], Stack) -> run(Rest, [N | Stack]);
run([add | Rest], [A, B | Stack]) -> run(Rest, [A + B | Stack]);
run([negate | Rest], [N | Stack]) -> run(Rest, [-N | Stack]);
run([_ | Rest], Stack) -> run(Rest, Stack).
-else.
run([], Stack) -> Stack;
run([{push, N} | Rest], Stack) -> run(Rest, [N | Stack]);
run([add | Rest], [A, B | Stack]) -> run(Rest, [A + B | Stack]);
run([negate | Rest], [N | Stack]) -> run(Rest, [-N | Stack]);
run([_ | Rest], []) -> run(Rest, []);
run([drop | Rest], [_ | Stack]) -> run(Rest, Stack);
run([Other | _], Stack) -> exit({cannot, Other, Stack}). % fails here
-endif.
