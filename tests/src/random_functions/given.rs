//! What one thing is that a random function is given: its text in the function and in the driver.

/// Bounds, on the command line and in the driver.
pub const MOST: usize = 2;
pub const ARRAY: usize = 3;
pub const TEXT: usize = 3;

/// A group of parameters, or a variable, or a function that nobody defines.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Before the function.
    pub top: String,
    pub parameters: Vec<String>,
    /// Of the driver: at file scope, behind the function.
    pub driver: String,
    /// Of the driver: statements before each call.
    pub make: String,
    pub arguments: Vec<String>,
    /// Pointers that the rest needs to be there.
    pub pointers: Vec<String>,
    /// Conditions, each good for every value if the pointers are there.
    pub conditions: Vec<String>,
    /// Conditions on what nobody gave.
    pub outside: Vec<String>,
    /// Statements.
    pub writes: Vec<String>,
    /// Loops that add to `sum`.
    pub loops: Vec<String>,
    /// What always holds, whatever is given.
    pub facts: Vec<String>,
    /// Pointers that may be the same as others of that type.
    pub aliases: Option<(&'static str, String)>,
    /// Attributes of the function.
    pub attributes: String,
    /// Needs `--globals`.
    pub globals: bool,
    /// There is a pointer to `struct outer`.
    pub outer: bool,
    /// It must stand before all others: lengths by their place.
    pub first: bool,
}

/// One pointer parameter.
pub fn pointer(name: &str, parameter: String, ty: &str, any: &str) -> Given {
    Given {
        parameters: vec![parameter],
        driver: format!("static {ty}{name};\n"),
        make: format!("    {name} = {any}();\n"),
        arguments: vec![name.to_owned()],
        pointers: vec![name.to_owned()],
        ..Given::default()
    }
}
