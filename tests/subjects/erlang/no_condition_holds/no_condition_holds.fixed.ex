# The repaired twin: whoever walks waits until the last moment.
defmodule Traffic do
  @spec light(0..59, boolean) :: :red | :yellow | :green
  def light(second, walking) do
    cond do
      second < 30 -> :red
      second >= 50 -> :yellow
      not walking -> :green
      true -> :red
    end
  end
end
