//! Colours for source code.
//!
//! A lexer of our own: comments, strings, numbers, words of the language and directives are all
//! that a reader of a report needs to be told apart, a page must not become heavy by it, and a
//! grammar library would be the largest part of the program.

use super::push_html;

/// What differs between languages.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// Endings of the names of files in this language.
    pub endings: &'static [&'static str],
    /// Begins a comment that ends with its line.
    pub line: &'static str,
    /// Begins and ends other comments.
    pub block: Option<(&'static str, &'static str)>,
    /// Characters that begin and end strings.
    pub quotes: &'static [char],
    /// What stands before a character that is meant itself.
    pub character: Option<char>,
    /// Lines that begin with it are directives.
    pub directive: Option<char>,
    pub words: &'static [&'static str],
    /// Those of its larger sister.
    pub more: &'static [&'static str],
}

/// Nothing is known of the language.
pub static PLAIN: Syntax = Syntax {
    endings: &[],
    line: "",
    block: None,
    quotes: &[],
    character: None,
    directive: None,
    words: &[],
    more: &[],
};

/// Turns the lines of a file into HTML, one after the other.
pub(super) struct Highlighter {
    language: &'static Syntax,
    in_comment: bool,
    in_directive: bool,
}

impl Highlighter {
    pub fn new(language: &'static Syntax) -> Highlighter {
        Highlighter {
            language,
            in_comment: false,
            in_directive: false,
        }
    }

    /// One line, without its end.
    pub fn line(&mut self, text: &str, out: &mut String) {
        let language = self.language;
        let mut rest = text;
        if !self.in_comment && !self.in_directive {
            let directive = |char| rest.trim_start().starts_with(char);
            self.in_directive = language.directive.is_some_and(directive);
        }
        let directive = self.in_directive;
        self.in_directive = directive && text.ends_with('\\');
        while let Some(first) = rest.chars().next() {
            let (class, length) = match self.comment(rest) {
                Some(length) => ("c", length),
                None if language.character == Some(first) => ("s", meant(rest)),
                None if language.quotes.contains(&first) => ("s", string(rest, first)),
                None if first.is_ascii_digit() => ("n", word(rest)),
                None if first.is_alphabetic() || first == '_' => {
                    let length = word(rest);
                    let is_word = |list: &[&str]| list.contains(&&rest[..length]);
                    match is_word(language.words) || is_word(language.more) {
                        true => ("k", length),
                        false => ("", length),
                    }
                }
                None => ("", first.len_utf8()),
            };
            let class = if directive && class.is_empty() {
                "p"
            } else {
                class
            };
            let (token, after) = rest.split_at(length);
            rest = after;
            if class.is_empty() {
                push_html(out, token);
            } else {
                out.push_str("<i class=");
                out.push_str(class);
                out.push('>');
                push_html(out, token);
                out.push_str("</i>");
            }
        }
    }

    /// Bytes of the comment that `rest` begins with.
    fn comment(&mut self, rest: &str) -> Option<usize> {
        let language = self.language;
        let line = !language.line.is_empty() && rest.starts_with(language.line);
        let (skip, close) = match language.block {
            Some((_, close)) if self.in_comment => (0, close),
            Some((open, close)) if rest.starts_with(open) => (open.len(), close),
            _ => return line.then_some(rest.len()),
        };
        match rest[skip..].find(close) {
            Some(at) => {
                self.in_comment = false;
                Some(skip + at + close.len())
            }
            None => {
                self.in_comment = true;
                Some(rest.len())
            }
        }
    }
}

/// Bytes of the mark and the character that `rest` begins with: `$"` begins no string.
fn meant(rest: &str) -> usize {
    let mut chars = rest.chars();
    let mark = chars.next().map_or(0, char::len_utf8);
    let first = chars.next();
    let second = chars.next().filter(|_| first == Some('\\'));
    mark + [first, second]
        .into_iter()
        .flatten()
        .map(char::len_utf8)
        .sum::<usize>()
}

/// Bytes of the string that `rest` begins with.
fn string(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if char == quote => return at + char.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Bytes of the word or number that `rest` begins with.
fn word(rest: &str) -> usize {
    let inside = |char: char| char.is_alphanumeric() || char == '_';
    rest.find(|char| !inside(char)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static C: Syntax = Syntax {
        line: "//",
        block: Some(("/*", "*/")),
        quotes: &['"', '\''],
        directive: Some('#'),
        words: &["if", "int"],
        ..PLAIN
    };
    static CPP: Syntax = Syntax {
        more: &["delete", "new"],
        ..C
    };
    static ERLANG: Syntax = Syntax {
        line: "%",
        quotes: &['"', '\''],
        character: Some('$'),
        directive: Some('-'),
        words: &["when", "end"],
        ..PLAIN
    };
    static ELIXIR: Syntax = Syntax {
        line: "#",
        quotes: &['"', '\''],
        character: Some('?'),
        directive: Some('@'),
        words: &["def", "do", "end"],
        ..PLAIN
    };

    fn html(language: &'static Syntax, source: &str) -> String {
        let mut highlighter = Highlighter::new(language);
        let mut out = String::new();
        for line in source.lines() {
            highlighter.line(line, &mut out);
            out.push('\n');
        }
        out
    }

    #[test]
    fn tells_the_parts_of_c_apart() {
        let source =
            "#define X \\\n  1\nint a = 0x1f; // <b>\n/* if\n if */ if (c == '\\'') \"a\\\"b\"";
        insta::assert_snapshot!(html(&C, source), @r#"
        <i class=p>#</i><i class=p>define</i><i class=p> </i><i class=p>X</i><i class=p> </i><i class=p>\</i>
        <i class=p> </i><i class=p> </i><i class=n>1</i>
        <i class=k>int</i> a = <i class=n>0x1f</i>; <i class=c>// &lt;b&gt;</i>
        <i class=c>/* if</i>
        <i class=c> if */</i> <i class=k>if</i> (c == <i class=s>&#39;\&#39;&#39;</i>) <i class=s>&quot;a\&quot;b&quot;</i>
        "#);
        assert_eq!(html(&PLAIN, "if <x>"), "if &lt;x&gt;\n");
    }

    #[test]
    fn words_of_cpp_are_names_in_c() {
        assert_eq!(html(&C, "delete(new)"), "delete(new)\n");
        let marked = "<i class=k>delete</i>(<i class=k>new</i>)\n";
        assert_eq!(html(&CPP, "delete(new)"), marked);
    }

    #[test]
    fn tells_the_parts_of_erlang_and_elixir_apart() {
        let source = "-on(a)\nf($\", $\\\", 'it') when true -> \"%\"; % end\n";
        assert_eq!(
            html(&ERLANG, source),
            "<i class=p>-</i><i class=p>on</i><i class=p>(</i><i class=p>a</i><i class=p>)</i>\n\
             f(<i class=s>$&quot;</i>, <i class=s>$\\&quot;</i>, <i class=s>&#39;it&#39;</i>) \
             <i class=k>when</i> true -&gt; <i class=s>&quot;%&quot;</i>; <i class=c>% end</i>\n"
        );
        assert_eq!(
            html(&ELIXIR, "def f(?\", :a), do: \"#\" # end"),
            "<i class=k>def</i> f(<i class=s>?&quot;</i>, :a), <i class=k>do</i>: \
             <i class=s>&quot;#&quot;</i> <i class=c># end</i>\n"
        );
    }

    proptest! {
        #![proptest_config(crate::samples::steady(256))]

        /// Nothing but our own tags, and the text as it was.
        #[test]
        fn any_text_stays_text(source in "[ -~\n\t\u{e4}\u{202e}]{0,200}") {
            for language in [&C, &ERLANG, &ELIXIR] {
            let html = html(language, &source);
            let bare = super::super::tests::without_tags(&html);
            prop_assert!(!bare.contains(['<', '>']));
            let text = super::super::tests::unescape(&bare);
            let lines: Vec<String> = source.lines().map(crate::html::visible).collect();
            let shown: Vec<&str> = text.lines().collect();
            prop_assert_eq!(shown, lines.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
    }
}
