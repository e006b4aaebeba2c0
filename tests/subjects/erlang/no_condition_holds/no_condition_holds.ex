# A `cond` in which none of the conditions holds.
defmodule Traffic do
  @spec light(0..59, boolean) :: :red | :yellow | :green
  def light(second, walking) do
    cond do
      second < 30 -> :red
      second >= 50 -> :yellow
      not walking -> :green
      second > 40 -> :green # fails here
    end
  end
end
