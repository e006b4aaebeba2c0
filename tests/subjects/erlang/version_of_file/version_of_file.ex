# Binaries: what stands between `v` and the point is taken for digits because the first is one.
defmodule Version.Header do
  @spec major(binary) :: integer | :unknown
  def major(<<"v", digit, rest::binary>>) when digit in ?0..?9 do
    case rest do
      <<".", _::binary>> -> digit - ?0
      <<next, ".", _::binary>> -> String.to_integer(<<digit, next>>) # fails here
      _ -> :unknown
    end
  end

  def major(_), do: :unknown
end
