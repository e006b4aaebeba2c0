//! Identifiers of exported tests: readable, unique, and none that means something else already.

use crate::names::identifier;
use std::collections::BTreeSet;

/// Words that neither a variable nor a function of an exported test may be called.
const RESERVED: &str = "
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while _Bool bool true false alignas alignof constexpr nullptr
    static_assert thread_local typeof typeof_unqual
    and and_eq asm bitand bitor catch char8_t char16_t char32_t class compl concept const_cast
    co_await co_return co_yield decltype delete dynamic_cast explicit export friend mutable
    namespace new noexcept not not_eq operator or or_eq private protected public
    reinterpret_cast requires static_cast template this throw try typeid typename using virtual
    wchar_t xor xor_eq
    main NULL EOF errno assert stdin stdout stderr linux unix isnan NAN INFINITY
    malloc calloc free abort memcpy memcmp strcmp strcpy strlen fork waitpid alarm
    fail skip mock mock_type state will_return check_expected function_called
    mark_point fail_if fail_unless suite runner tcase
    cr_assert Test TestSuite testing eq ne lt le gt ge all any none zero not_ sz
    TEST FAIL SUCCEED CHECK CHECK_EQUAL CHECK_STRING CHECK_MEMORY check failed run tap allocate copy copy_string
";

/// Hands out names, each once.
#[derive(Clone, Debug)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// None of `taken`, which the subject brings along, will be handed out.
    pub fn new<'a>(taken: impl IntoIterator<Item = &'a str>) -> Names {
        let taken = RESERVED.split_whitespace().chain(taken);
        Names {
            taken: taken.map(str::to_owned).collect(),
        }
    }

    /// `wanted` made an identifier, with a number behind it when somebody has it already.
    pub fn pick(&mut self, wanted: &str) -> String {
        let mut base = identifier(wanted);
        if base.is_empty() {
            base.push_str("value");
        }
        if base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            let gap = if base.ends_with(|c: char| c.is_ascii_digit()) {
                "_"
            } else {
                ""
            };
            name = format!("{base}{gap}{number}");
            number += 1;
        }
        name
    }

    pub fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }
}

/// What people call a struct: `struct list_node` is a `list_node`, `node_t *` a `node`.
pub fn noun(ty: &str) -> String {
    let word = super::spell::words(ty)
        .filter(|word| !matches!(*word, "const" | "volatile" | "struct" | "union" | "enum"))
        .last()
        .unwrap_or("object");
    word.strip_suffix("_t").unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once_and_never_a_reserved_one() {
        let mut names = Names::new(["list_concat"]);
        assert_eq!(names.pick("node 1"), "node1");
        assert_eq!(names.pick("node 1"), "node1_2");
        assert_eq!(names.pick("class"), "class2");
        assert_eq!(names.pick("list_concat"), "list_concat2");
        assert_eq!(names.pick("3d"), "_3d");
        assert_eq!(names.pick(""), "value");
        assert_eq!(names.pick("a->b"), "a_b");
    }

    #[test]
    fn a_struct_is_called_by_its_tag() {
        assert_eq!(noun("struct list_node"), "list_node");
        assert_eq!(noun("const node_t *"), "node");
    }
}
