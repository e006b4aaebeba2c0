# `mix elsewise MODULE.FUNCTION/ARITY`: explores a function of the project, as mix compiles it.
defmodule Mix.Tasks.Elsewise do
  @shortdoc "Finds the arguments that make a function fail"
  @moduledoc """
  Explores a function with Elsewise, whose program must be in the `PATH`.

      mix elsewise Bank.transfer/3
      mix elsewise Bank.transfer/3 --budget 60s --term-depth 4

  What follows the function is handed on to `elsewise explore`.
  """
  use Mix.Task

  @impl true
  def run([named | flags]) do
    Mix.Task.run("compile")
    {module, function} = split(named)
    program = System.find_executable("elsewise")

    unless program do
      Mix.raise("the program `elsewise` is not in the PATH: install it, or add its folder")
    end

    target = Path.relative_to_cwd(beam(module)) <> "::" <> function
    paths = Enum.flat_map(paths(), &["--code-path", &1])

    case start(program, ["explore", target] ++ paths ++ flags) do
      0 -> :ok
      # The program's exit code says more than mix's own would.
      status -> exit({:shutdown, status})
    end
  end

  def run([]), do: Mix.raise("name a function: mix elsewise MODULE.FUNCTION/ARITY")

  # `Bank.Account.take/2` is a module and the rest.
  defp split(named) do
    case Regex.run(~r/^([A-Z][\w.]*)\.([^.]+)$/, named) do
      [_, module, function] -> {Module.concat([module]), function}
      nil -> Mix.raise("`#{named}` names no function: write MODULE.FUNCTION/ARITY")
    end
  end

  defp beam(module) do
    Mix.Project.build_path()
    |> Path.join("lib/*/ebin/#{module}.beam")
    |> Path.wildcard()
    |> List.first() || Mix.raise("this project has no module #{inspect(module)}")
  end

  # Where compiled modules are: the project's, and what comes with Elixir.
  defp paths do
    own = Mix.Project.build_path() |> Path.join("lib/*/ebin") |> Path.wildcard()
    elixir = Path.wildcard(Path.join(Path.dirname(:code.lib_dir(:elixir)), "*/ebin"))
    Enum.uniq(own ++ elixir)
  end

  # On this terminal: what the program says is seen as it says it.
  defp start(program, words) do
    port =
      Port.open({:spawn_executable, program}, [:nouse_stdio, :exit_status, {:args, words}])

    receive do
      {^port, {:exit_status, status}} -> status
    end
  end
end
