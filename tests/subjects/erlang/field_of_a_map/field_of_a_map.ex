# `parcel.country` of a map that has no country; light parcels never ask.
defmodule Shipping do
  @type parcel :: %{required(:weight) => 0..100, optional(:country) => :home | :abroad}

  @spec cost(parcel) :: integer
  def cost(%{weight: weight}) when weight < 10, do: 5

  def cost(%{weight: weight} = parcel) do
    case {weight > 30, Map.get(parcel, :country)} do
      {true, _} -> rate(parcel.country) * weight # fails here
      {false, :abroad} -> 20
      {false, _} -> 10
    end
  end

  defp rate(:home), do: 1
  defp rate(:abroad), do: 3
end
