# A default argument keeps those who do not give it from a division by zero, and nobody else.
defmodule Pages do
  @spec count(non_neg_integer, 0..100) :: non_neg_integer
  def count(items, per_page \\ 10)
  def count(0, _), do: 0
  def count(items, per_page) when items <= per_page, do: 1
  def count(items, per_page), do: div(items + per_page - 1, per_page) # fails here
end
