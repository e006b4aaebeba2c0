# Elixir's own exception: `Enum.max` of an empty list, when no score is above what is asked for.
defmodule Scores do
  @spec best([integer], 0..9) :: integer
  def best([], _), do: 0
  def best([only], _), do: only

  def best(scores, least) do
    scores
    |> Enum.filter(fn score -> score > least end)
    |> largest()
  end

  defp largest(scores), do: Enum.max(scores) # fails here
end
