//! Funs of the program: which of its functions they are, and the variables that they see.

use super::Value;
use std::sync::Arc;

pub type Variable = u32;

/// A function that is written inside of another, by its place among the lambdas of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LambdaId(pub u32);

/// Name and number of parameters.
pub type FunctionName = (Arc<str>, u32);

/// What stands behind a fun of the program, or one of its local functions.
#[derive(Debug)]
pub struct Closure {
    pub lambda: LambdaId,
    pub arity: usize,
    pub environment: Environment,
}

impl Closure {
    pub fn is_symbolic(&self) -> bool {
        self.environment.values.iter().any(Value::is_symbolic)
    }
}

/// Values of the variables of a function, and the local functions that can be seen.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    pub function: usize,
    pub values: Vec<Value>,
    pub locals: Option<Arc<Locals>>,
}

impl Environment {
    pub fn get(&self, variable: Variable) -> Value {
        let value = self.values.get(variable as usize);
        value.cloned().unwrap_or_else(Value::unknown)
    }

    pub fn set(&mut self, variable: Variable, value: Value) {
        let place = variable as usize;
        if self.values.len() <= place {
            self.values.resize(place + 1, Value::unknown());
        }
        self.values[place] = value;
    }
}

/// Local functions, which see the variables from where they were written, and each other.
#[derive(Debug)]
pub struct Locals {
    pub functions: Vec<(FunctionName, LambdaId)>,
    pub values: Vec<Value>,
    pub outer: Option<Arc<Locals>>,
}
