# The project of a task for mix that needs nothing else.
defmodule MixElsewise.MixProject do
  use Mix.Project

  def project do
    [app: :mix_elsewise, version: "0.1.0", elixir: "~> 1.13", deps: []]
  end

  def application, do: []
end
