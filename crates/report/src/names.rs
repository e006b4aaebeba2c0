//! Names of functions as people write them.

use std::borrow::Cow;

/// Longer names are shown without what stands in angle brackets.
const LONG: usize = 60;

/// A name that a linker knows: that of a C++ function is written as in its source, without parameters.
pub fn readable(name: &str) -> Cow<'_, str> {
    let options = cpp_demangle::DemangleOptions::new()
        .no_params()
        .no_return_type();
    let written = name
        .starts_with("_Z")
        .then(|| cpp_demangle::Symbol::new(name).ok())
        .flatten()
        .and_then(|symbol| symbol.demangle_with_options(&options).ok());
    let Some(written) = written else {
        return name.into();
    };
    let written = written.replace("std::__cxx11::", "std::");
    match written.chars().count() > LONG {
        true => without_arguments(&written).into(),
        false => written.into(),
    }
}

/// Leaves out the arguments of templates; `operator<` and its like have none.
fn without_arguments(name: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for (index, letter) in name.char_indices() {
        let operator = || {
            let before = name[..index].trim_end_matches(['<', '>', '-', '=']);
            depth == 0 && before.ends_with("operator")
        };
        match letter {
            '<' if !operator() => depth += 1,
            '>' if !operator() && depth > 0 => depth -= 1,
            letter if depth == 0 => out.push(letter),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn names_are_those_of_the_source() {
        for (name, expected) in [
            ("strtod", "strtod"),
            ("main", "main"),
            ("_Z5parsePKc", "parse"),
            ("_ZN4bank7Account8withdrawEi", "bank::Account::withdraw"),
            (
                "_ZNSi3getEv",
                "std::basic_istream<char, std::char_traits<char> >::get",
            ),
            ("_ZNSirsERi", "std::basic_istream::operator>>"),
            ("_Znwm", "operator new"),
            ("_Znot a name", "_Znot a name"),
            ("", ""),
        ] {
            assert_eq!(readable(name), expected);
        }
    }

    #[test]
    fn long_arguments_of_templates_are_left_out() {
        let name = "_ZNKSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessIS5_ESaISt4pairIKS5_iEEE2atERS9_";
        assert_eq!(readable(name), "std::map::at");
    }
}
