# The repaired twin: the back begins at thirteen.
defmodule Seats do
  defguard is_front(seat) when seat >= 1 and seat < 13
  defguard is_back(seat) when is_integer(seat) and seat >= 13

  @spec row(integer) :: :front | :back | :none
  def row(seat) when seat < 1, do: :none
  def row(seat) when is_front(seat), do: :front
  def row(seat) when is_back(seat), do: :back
end
