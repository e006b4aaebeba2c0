# The repaired twin: both must be digits.
defmodule Version.Header do
  @spec major(binary) :: integer | :unknown
  def major(<<"v", digit, rest::binary>>) when digit in ?0..?9 do
    case rest do
      <<".", _::binary>> -> digit - ?0
      <<next, ".", _::binary>> when next in ?0..?9 -> String.to_integer(<<digit, next>>)
      _ -> :unknown
    end
  end

  def major(_), do: :unknown
end
