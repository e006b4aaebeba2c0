# Guards by defguard: there is no row for thirteen, which is not above twelve and not below.
defmodule Seats do
  defguard is_front(seat) when seat >= 1 and seat < 13
  defguard is_back(seat) when is_integer(seat) and seat > 13

  @spec row(integer) :: :front | :back | :none
  def row(seat) when seat < 1, do: :none # fails here
  def row(seat) when is_front(seat), do: :front
  def row(seat) when is_back(seat), do: :back
end
