# The repaired twin: what is not there is not taken.
defmodule Basket do
  @type fruit :: :apple | :pear | :plum

  @spec take(%{optional(fruit) => 0..9}, [fruit]) :: %{optional(fruit) => 0..9}
  def take(basket, [first | rest]) when is_map_key(basket, first) do
    Enum.reduce(rest, Map.delete(basket, first), &one_less/2)
  end

  def take(basket, _), do: basket

  defp one_less(fruit, basket) do
    case Map.get(basket, fruit, 0) do
      0 -> Map.delete(basket, fruit)
      n -> Map.put(basket, fruit, n - 1)
    end
  end
end
