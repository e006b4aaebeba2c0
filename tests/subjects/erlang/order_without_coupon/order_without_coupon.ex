# A struct whose coupon is nil until somebody gives one; only large orders ask for it.
defmodule Order do
  defstruct prices: [], coupon: nil

  @type t :: %__MODULE__{prices: [0..1000], coupon: 0..50 | nil}

  @spec total(t) :: integer
  def total(%__MODULE__{prices: prices} = order) do
    prices |> Enum.sum() |> reduced(order)
  end

  defp reduced(sum, %__MODULE__{coupon: coupon}) when sum > 100, do: sum - div(sum * coupon, 100) # fails here
  defp reduced(sum, _), do: sum
end
