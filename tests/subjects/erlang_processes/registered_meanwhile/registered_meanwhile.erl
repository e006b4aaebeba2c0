%% Two processes look whether a name is free before they register it; between looking and registering the
%% other one may have had it.
-module(registered_meanwhile).
-export([run/0]).

-spec run() -> [owner | guest].
run() ->
    Self = self(),
    Workers = [spawn_monitor(fun() -> claim(Self) end) || _ <- [1, 2]],
    Roles = [role() || _ <- Workers],
    [Pid ! stop || {Pid, _} <- Workers],
    [receive {'DOWN', Monitor, process, Pid, normal} -> ok end || {Pid, Monitor} <- Workers],
    lists:sort(Roles).

role() ->
    receive
        {role, Role} -> Role;
        {'DOWN', _, process, _, Reason} when Reason =/= normal -> error(Reason) % or here
    end.

-ifdef(REPAIRED).
claim(Main) ->
    Role = try register(registered_meanwhile, self()) of
        true -> owner
    catch
        error:badarg -> guest
    end,
    Main ! {role, Role},
    receive stop -> ok end.
-else.
claim(Main) ->
    Role = case whereis(registered_meanwhile) of
        undefined ->
            register(registered_meanwhile, self()), % fails here
            owner;
        _ ->
            guest
    end,
    Main ! {role, Role},
    receive stop -> ok end.
-endif.
