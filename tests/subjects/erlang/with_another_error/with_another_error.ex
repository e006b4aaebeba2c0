# The `else` of a `with` knows of a name that is missing, and not of an age that is too low.
defmodule Login do
  @type user :: %{optional(:name) => binary, optional(:age) => 0..150}

  @spec check(user, 0..150) :: {:ok, binary} | :nobody
  def check(user, least) do
    with {:ok, name} <- Map.fetch(user, :name), # fails here
         {:ok, _} <- old_enough(user, least) do
      {:ok, name}
    else
      :error -> :nobody
    end
  end

  defp old_enough(%{age: age}, least) when age < least, do: {:error, :young}
  defp old_enough(%{age: age}, _), do: {:ok, age}
  defp old_enough(_, _), do: :error
end
