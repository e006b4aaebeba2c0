%% What a run can do to the VM around it.
-module(served).
-export([hang/0, grow/1, leave/0, name/0, print/0, ask/0, killed/0, linked/0, table/0, chosen/2, waits/0, busy/1]).

hang() -> hang().
grow(L) -> grow([L, L | binary:copy(<<1>>, 1000000)]).
leave() -> Pid = spawn(fun() -> receive never -> ok end end), register(left_behind, Pid), Pid.
name() -> register(mine, group_leader()).
print() -> io:format("~s~n", [lists:duplicate(100000, $x)]), io:put_chars("y").
ask() -> {io:get_line("? "), io:read("? ")}.
killed() -> exit(self(), kill), receive after infinity -> ok end.
linked() -> spawn_link(fun() -> exit(crashed) end), receive after infinity -> ok end.
table() -> ets:new(named_table, [named_table, public]), ok.
chosen(F, L) -> [F(X) || X <- L].
waits() -> receive nothing -> ok end.

%% So many milliseconds of a processor.
busy(Milliseconds) -> busy_until(element(1, statistics(runtime)) + Milliseconds).
busy_until(End) ->
    case element(1, statistics(runtime)) of
        Now when Now < End -> busy_until(End);
        _ -> done
    end.
