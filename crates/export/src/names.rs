//! Identifiers of any language, from whatever a subject calls its things.

/// The letters, digits and underscores of `text`; blanks are left out, other characters become
/// one underscore.
pub fn identifier(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars().filter(|c| *c != ' ') {
        if char.is_ascii_alphanumeric() || char == '_' {
            out.push(char);
        } else if !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
    }
    out.trim_end_matches('_').to_owned()
}

/// `list_concat` as `ListConcat`.
pub fn camel(text: &str) -> String {
    let mut out = String::new();
    for word in text.split('_').filter(|word| !word.is_empty()) {
        let mut chars = word.chars();
        if out.ends_with(|c: char| c.is_ascii_digit())
            && word.starts_with(|c: char| c.is_ascii_digit())
        {
            out.push('_');
        }
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_joins_words() {
        assert_eq!(camel("list_concat"), "ListConcat");
        assert_eq!(camel("n_1_2"), "N1_2");
    }
}
