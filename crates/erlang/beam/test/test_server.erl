%% The server: how runs end, what they leave behind, and its answers over the socket.
-module(test_server).
-export([main/1]).

main(Subjects) ->
    logger:set_primary_config(level, none),
    File = list_to_binary(filename:join(Subjects, "served.erl")),
    {loaded, [IR | _], _, _} = elsewise_load:load(#{files => [File]}),
    {elsewise_module, 1, served, #{exports := Exports}} = IR,
    Fun = {'$elsewise', 'fun', 1, [a, b, c]},
    Processes = length(processes()),
    Checks =
        [{exports, length(Exports) =:= 12},
         {hang, case run(hang, [], #{timeout => 100}) of
                    {{timeout, [{served, hang, 0, _}]}, <<>>} -> true;
                    Other -> Other
                end},
         {waits, case run(waits, [], #{timeout => 100}) of
                     {{timeout, [{served, waits, 0, _}]}, <<>>} -> true;
                     Other -> Other
                 end},
         {grow, case run(grow, [[]], #{timeout => 2000, memory => 20000000}) of
                    {{memory, _}, _} -> true;
                    {{timeout, _}, _} -> true;
                    Other -> Other
                end},
         {leave, case run(leave, [], #{}) of
                     {{ok, Pid}, _} -> not is_process_alive(Pid) andalso whereis(left_behind) =:= undefined;
                     Other -> Other
                 end},
         {name, element(1, run(name, [], #{})) =:= {ok, true} andalso whereis(mine) =:= undefined},
         {print, element(1, run(print, [], #{})) =:= {ok, ok}},
         {ask, element(1, run(ask, [], #{})) =:= {ok, {eof, eof}}},
         {killed, element(1, run(killed, [], #{})) =:= {exception, exit, killed, []}},
         {linked, element(1, run(linked, [], #{})) =:= {exception, exit, crashed, []}},
         {table, [element(1, run(table, [], #{})) || _ <- [1, 2]] =:= [{ok, ok}, {ok, ok}]},
         {chosen, element(1, run(chosen, [Fun, [1, 2, 1, 3, 4, 2]], #{})) =:= {ok, [a, b, a, c, c, b]}},
         {chosen_none, element(1, run(chosen, [{'$elsewise', 'fun', 1, []}, [1]], #{})) =:= {ok, [ok]}},
         {processes, length(processes()) =< Processes + 1},
         {missing, case elsewise_load:load(#{files => [<<"/no/such.erl">>]}) of
                       {error, <<"/no/such.erl: there is no such file">>} -> true;
                       Other -> Other
                   end},
         {wrong, case elsewise_load:load(#{files => [wrong(Subjects)]}) of
                     {error, Text} -> nomatch =/= binary:match(Text, <<":2:8: function g/0 undefined">>);
                     Other -> Other
                 end},
         {socket, spoken_to(File)}],
    {length(Checks), [C || {_, Result} = C <- Checks, Result =/= true]}.

run(F, Args, Limits) ->
    {ran, Outcome, _, Events, _} = elsewise_server:run(served, F, Args, Limits),
    {Outcome, Events}.

wrong(_) ->
    File = filename:join(os:getenv("TMPDIR", "/tmp"), "elsewise_wrong.erl"),
    ok = file:write_file(File, "-module(elsewise_wrong).\nf() -> g().\n"),
    list_to_binary(File).

%% A VM of its own, as the engine starts it.
spoken_to(File) ->
    Ebin = filename:dirname(code:which(elsewise_server)),
    Port = open_port({spawn_executable, os:find_executable("erl")},
                     [{args, ["-noshell", "-noinput", "+S", "1:1", "-pa", Ebin, "-s", "elsewise_server",
                              "start", "3", "4"]},
                      nouse_stdio, binary, {packet, 4}]),
    Ask = fun(Request) ->
                  true = port_command(Port, term_to_binary(Request)),
                  receive {Port, {data, Answer}} -> binary_to_term(Answer) after 60000 -> silent end
          end,
    {compiled, Modules} = Ask({plain, #{files => [File]}}),
    Loaded = Ask({enter, Modules}),
    Ran = Ask({run, served, chosen, [{'$elsewise', 'fun', 1, [x]}, [1, 2]], #{timeout => 1000}}),
    %% It gets no processor for longer than its limit, and needs little of one.
    {os_pid, Number} = erlang:port_info(Port, os_pid),
    Signal = fun(Name) -> os:cmd("kill -" ++ Name ++ " " ++ integer_to_list(Number)) end,
    spawn_link(fun() -> Signal("STOP"), timer:sleep(1300), Signal("CONT") end),
    Starved = Ask({run, served, busy, [100], #{timeout => 1000}}),
    Unknown = Ask(nonsense),
    port_close(Port),
    case {Loaded, Ran, Starved, Unknown} of
        {entered, {ran, {ok, [x, x]}, _, <<>>, _, false, false}, {ran, {ok, done}, _, _, _, false, false},
         {error, <<"unknown request", _/binary>>}} -> true;
        Other -> Other
    end.
