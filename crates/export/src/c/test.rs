//! A test before a framework gives it its words.

/// One behaviour as statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// What distinguishes it, as a part of an identifier: `null_list`.
    pub slug: String,
    /// What stands above it, without the marks of a comment.
    pub comment: Vec<String>,
    pub body: Vec<Statement>,
    pub exits: Option<i32>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Without its semicolon.
    Code(String),
    /// A line without the marks of a comment.
    Comment(String),
    Check(Check),
    /// A call that ends the process with that code.
    Exit {
        call: String,
        code: i32,
    },
    Gap,
}

/// Something that was observed, and must be so again.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    Integer {
        actual: String,
        expected: String,
        unsigned: bool,
    },
    True(String),
    False(String),
    /// Exactly, bit for bit but for the sign of zero.
    Float {
        actual: String,
        expected: String,
        single: bool,
    },
    Nan(String),
    Pointer {
        actual: String,
        expected: String,
    },
    Null(String),
    /// Later statements may look at what it points to.
    NotNull(String),
    /// Of types of which no more is known than that `==` compares them.
    Same {
        actual: String,
        expected: String,
    },
    /// Strings up to their NUL; the expected one is a literal.
    Text {
        actual: String,
        expected: String,
    },
    Memory {
        actual: String,
        expected: String,
        size: String,
    },
}
