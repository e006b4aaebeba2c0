# The repaired twin: none is zero.
defmodule Scores do
  @spec best([integer], 0..9) :: integer
  def best([], _), do: 0
  def best([only], _), do: only

  def best(scores, least) do
    scores
    |> Enum.filter(fn score -> score > least end)
    |> largest()
  end

  defp largest([]), do: 0
  defp largest(scores), do: Enum.max(scores)
end
