%%% What is expected of a subject: lines of the `expect.toml` beside it, and the lines that are marked as those
%%% where it fails.
-module(truth_expected).
-export([read/1]).

%% The file's fields by name, with `lines`, `file` and `name` beside them.
read(File) ->
    {ok, Text} = file:read_file(File),
    Lines = string:split(Text, "\n", all),
    Numbered = lists:zip(lists:seq(1, length(Lines)), Lines),
    Marked = [Number || {Number, Line} <- Numbered, marked(Line)],
    {ok, Expected} = file:read_file(filename:join(filename:dirname(File), "expect.toml")),
    Fields = maps:from_list(lists:append([field(File, Line) || Line <- string:split(Expected, "\n", all)])),
    [fail(File, "no field " ++ atom_to_list(Field))
        || Field <- [kind, entry, witness], not is_map_key(Field, Fields)],
    [fail(File, "unknown field " ++ atom_to_list(Field))
        || Field <- maps:keys(Fields), not lists:member(Field, known())],
    Fields#{lines => Marked, file => File, name => filename:basename(File)}.

known() ->
    [kind, also, entry, witness, options, complete, executions, cuter_executions,
     cuter_seconds, cuter_crashing].

marked(Line) ->
    re:run(Line, "[%#] (fails|or) here$") =/= nomatch.

field(File, Line) ->
    case re:run(Line, "^([a-z_]+) = (.+)$", [{capture, [1, 2], list}]) of
        {match, [Name, Value]} -> [{list_to_atom(Name), value(File, Value)}];
        nomatch -> []
    end.

value(File, Text) ->
    case value(Text) of
        {Value, ""} -> Value;
        _ -> fail(File, "cannot read " ++ Text)
    end.

value("true" ++ Rest) -> {true, Rest};
value("false" ++ Rest) -> {false, Rest};
value("'" ++ Rest) ->
    [Inside, Behind] = string:split(Rest, "'"),
    {Inside, Behind};
value("\"" ++ Rest) -> quoted(Rest, "");
value("[]" ++ Rest) -> {[], Rest};
value("[" ++ Rest) -> items(Rest);
value(Text) ->
    {Digits, Rest} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Text),
    {list_to_integer(Digits), Rest}.

quoted("\"" ++ Rest, Sofar) -> {lists:reverse(Sofar), Rest};
quoted("\\" ++ [C | Rest], Sofar) -> quoted(Rest, [C | Sofar]);
quoted([C | Rest], Sofar) -> quoted(Rest, [C | Sofar]).

items(Text) ->
    case value(Text) of
        {Item, ", " ++ Rest} ->
            {Items, Behind} = items(Rest),
            {[Item | Items], Behind};
        {Item, "]" ++ Rest} ->
            {[Item], Rest}
    end.

fail(File, Text) ->
    throw({wrong, io_lib:format("~ts: ~ts", [File, Text])}).
