%% An Elixir module through its debug information, plain and instrumented.
-module(test_elixir).
-export([main/1]).

main(_) ->
    logger:set_primary_config(level, none),
    case os:find_executable("elixir") of
        false -> {1, [no_elixir_on_this_machine]};
        _ -> compared()
    end.

compared() ->
    elsewise_core:elixir(),
    {ok, _} = application:ensure_all_started(elixir),
    [{Module, Binary}] = 'Elixir.Code':compile_string(source()),
    File = filename:join(os:getenv("TMPDIR", "/tmp"), atom_to_list(Module) ++ ".beam"),
    ok = file:write_file(File, Binary),
    Calls = calls(),
    Plain = [outcome(Module, C) || C <- Calls],
    {loaded, IRs, Redirects, _} = elsewise_load:load(#{files => [list_to_binary(File)]}),
    {elsewise_module, 1, Module, #{specs := [{{total, 1}, _} | _]}} = hd(IRs),
    Copied = lists:keymember({'Elixir.Enum', sort, 1}, 1, Redirects),
    Instrumented = [outcome(Module, C) || C <- Calls],
    _ = file:delete(File),
    {length(Calls), [{enum_is_not_copied, Redirects} || not Copied] ++ [{C, P, I} || {C, P, I} <- lists:zip3(Calls, Plain, Instrumented), P =/= I]}.

outcome(Module, {F, Args}) ->
    case elsewise_server:run(Module, F, Args, #{}) of
        {ran, {exception, Class, Reason, _}, _, _, _} -> {Class, Reason};
        {ran, Outcome, _, _, _} -> Outcome
    end.

source() ->
    <<"defmodule Elsewise.Shop do\n"
      "  defstruct name: \"\", price: 0\n"
      "  @spec total([%{price: integer}]) :: integer\n"
      "  def total(items), do: Enum.reduce(items, 0, fn %{price: p}, acc -> acc + p end)\n"
      "  def names(items), do: items |> Enum.map(& &1.name) |> Enum.sort() |> Enum.join(\", \")\n"
      "  def grade(x) when x in 90..100, do: :a\n"
      "  def grade(x) when is_integer(x) and x >= 50, do: :b\n"
      "  def grade(_), do: :f\n"
      "  def safe(a, b) do\n"
      "    try do\n"
      "      {:ok, div(a, b)}\n"
      "    rescue\n"
      "      e in ArithmeticError -> {:error, Exception.message(e)}\n"
      "    end\n"
      "  end\n"
      "  def parse(<<\"GET \", rest::binary>>), do: {:get, rest}\n"
      "  def parse(<<n::8, body::binary-size(n), _::binary>>), do: {n, body}\n"
      "  def parse(other), do: raise(ArgumentError, \"no #{inspect(other)}\")\n"
      "  def put(m, k, v), do: %{m | k => v}\n"
      "  def nested(x) do\n"
      "    with {:ok, a} <- Map.fetch(x, :a), {:ok, b} <- Map.fetch(x, :b), do: a + b\n"
      "  end\n"
      "  def comp(l), do: for(x <- l, y <- [1, 2], rem(x, 2) == 0, into: %{}, do: {{x, y}, x * y})\n"
      "  def key(kw), do: Keyword.get(kw, :a, :none)\n"
      "end\n">>.

calls() ->
    Items = [#{name => <<"b">>, price => 2}, #{name => <<"a">>, price => 3}],
    [{total, [Items]}, {total, [[]]}, {total, [x]}, {total, [[#{}]]}, {names, [Items]}, {names, [[x]]},
     {grade, [95]}, {grade, [60]}, {grade, [1]}, {grade, [95.0]}, {safe, [4, 2]}, {safe, [4, 0]}, {safe, [a, 1]},
     {parse, [<<"GET /">>]}, {parse, [<<2, "abc">>]}, {parse, [<<9, "abc">>]}, {parse, [x]},
     {put, [#{a => 1}, a, 2]}, {put, [#{a => 1}, b, 2]}, {nested, [#{a => 1, b => 2}]}, {nested, [#{a => 1}]},
     {comp, [[1, 2, 4]]}, {comp, [[a]]}, {key, [[{a, 1}]]}, {key, [[]]}, {key, [x]}].
