# The repaired twin: no page at all holds no items.
defmodule Pages do
  @spec count(non_neg_integer, 0..100) :: non_neg_integer
  def count(items, per_page \\ 10)
  def count(0, _), do: 0
  def count(_, 0), do: 0
  def count(items, per_page) when items <= per_page, do: 1
  def count(items, per_page), do: div(items + per_page - 1, per_page)
end
