# The repaired twin: no coupon is none to reckon with.
defmodule Order do
  defstruct prices: [], coupon: nil

  @type t :: %__MODULE__{prices: [0..1000], coupon: 0..50 | nil}

  @spec total(t) :: integer
  def total(%__MODULE__{prices: prices} = order) do
    prices |> Enum.sum() |> reduced(order)
  end

  defp reduced(sum, %__MODULE__{coupon: nil}), do: sum
  defp reduced(sum, %__MODULE__{coupon: coupon}) when sum > 100, do: sum - div(sum * coupon, 100)
  defp reduced(sum, _), do: sum
end
