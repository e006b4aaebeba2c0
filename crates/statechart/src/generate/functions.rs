//! The functions of a capsule while they are written: how they are named, begun and called.

use super::plan::Plan;
use super::text::Text;

/// Functions of a capsule, with their heads.
pub struct Functions<'a> {
    pub plan: &'a Plan<'a>,
    pub text: Text,
    /// Declarations, which come before all bodies.
    pub heads: Vec<String>,
    /// What follows the end of a function in the machine, for the search: functions by name.
    pub flows: Vec<(String, Vec<String>)>,
}

impl<'a> Functions<'a> {
    pub fn new(plan: &'a Plan<'a>) -> Functions<'a> {
        Functions {
            plan,
            text: Text::new(),
            heads: Vec::new(),
            flows: Vec::new(),
        }
    }

    /// The name of a function in C, or of a member function in C++.
    pub fn function(&self, name: &str) -> String {
        match self.plan.is_cpp() {
            true => format!("elw_{name}"),
            false => format!("{}_{name}", self.plan.name),
        }
    }

    /// The same with the class that it is a member of.
    pub fn qualified(&self, name: &str) -> String {
        match self.plan.is_cpp() {
            true => format!("{}::elw_{name}", self.plan.name),
            false => self.function(name),
        }
    }

    /// A call of another function of the same capsule.
    pub fn call(&self, name: &str, arguments: &str) -> String {
        let function = self.function(name);
        match (self.plan.is_cpp(), arguments.is_empty()) {
            (true, _) => format!("this->{function}({arguments})"),
            (false, true) => format!("{function}(me)"),
            (false, false) => format!("{function}(me, {arguments})"),
        }
    }

    /// A field of the capsule's own.
    pub fn field(&self, name: &str) -> String {
        match self.plan.is_cpp() {
            true => format!("this->elw_{name}"),
            false => format!("me->elw_{name}"),
        }
    }

    /// Begins a function.
    pub fn begin(&mut self, returns: &str, name: &str, parameters: &str) {
        let (function, class) = (self.function(name), &self.plan.name);
        match self.plan.is_cpp() {
            true => {
                self.heads
                    .push(format!("{returns} {function}({parameters});"));
                let head = format!("{returns} {class}::{function}({parameters})");
                self.text.line(&head);
            }
            false => {
                let comma = if parameters.is_empty() { "" } else { ", " };
                let head = format!("static {returns} {function}({class} *me{comma}{parameters})");
                self.heads.push(format!("{head};"));
                self.text.line(&head);
            }
        }
        self.text.open("{");
    }

    pub fn end(&mut self) {
        self.text.close("}");
        self.text.blank();
    }

    /// The parameter that most functions have.
    pub fn message(&self) -> String {
        format!("{}_Message *m", self.plan.name)
    }
}
