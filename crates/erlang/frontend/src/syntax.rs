//! How sources of Erlang and Elixir are coloured.

use elsewise_report::html::Syntax;

pub static SYNTAXES: [Syntax; 2] = [ERLANG, ELIXIR];

const ERLANG: Syntax = Syntax {
    endings: &["erl", "hrl", "escript"],
    line: "%",
    block: None,
    quotes: &['"', '\''],
    character: Some('$'),
    directive: Some('-'),
    words: &[
        "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
        "catch", "div", "else", "end", "fun", "if", "maybe", "not", "of", "or", "orelse",
        "receive", "rem", "try", "when", "xor",
    ],
    more: &[],
};

const ELIXIR: Syntax = Syntax {
    endings: &["ex", "exs"],
    line: "#",
    block: None,
    quotes: &['"', '\''],
    character: Some('?'),
    directive: Some('@'),
    words: &[
        "after",
        "alias",
        "and",
        "case",
        "catch",
        "cond",
        "def",
        "defguard",
        "defmacro",
        "defmodule",
        "defp",
        "defstruct",
        "do",
        "else",
        "end",
        "false",
        "fn",
        "for",
        "if",
        "import",
        "in",
        "nil",
        "not",
        "or",
        "quote",
        "raise",
        "receive",
        "require",
        "rescue",
        "true",
        "try",
        "unless",
        "unquote",
        "use",
        "when",
        "with",
    ],
    more: &[],
};
