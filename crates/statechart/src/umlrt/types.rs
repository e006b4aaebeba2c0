//! Types of UML as C++ has them: primitive ones by the libraries that declare them, classes and
//! enumerations of the model by their names.

use super::{Index, attribute, child, children, fragment, id, kind, tag};
use crate::model::{Attribute, Code, Declaration, DeclarationKind, Operation, Parameter};
use roxmltree::Node;

/// The ids under which Papyrus's library of C's types declares them.
const ANSI_C: &[(&str, &str)] = &[
    ("_5lVhgBydEduyofBvg4RL2w", "char"),
    ("_6j0jABydEduyofBvg4RL2w", "double"),
    ("_7W3wkBydEduyofBvg4RL2w", "float"),
    ("_7wRIABydEduyofBvg4RL2w", "int"),
    ("_8I6RgBydEduyofBvg4RL2w", "void"),
    ("_8heigBydEduyofBvg4RL2w", "long"),
    ("_DLNPkByeEduyofBvg4RL2w", "long double"),
    ("_K-lFQByeEduyofBvg4RL2w", "short"),
    ("_LTZesByeEduyofBvg4RL2w", "unsigned int"),
    ("_V5vyUByeEduyofBvg4RL2w", "unsigned short"),
    ("_YYWiwByeEduyofBvg4RL2w", "unsigned char"),
    ("_a1wZUByeEduyofBvg4RL2w", "unsigned long"),
    ("_vAIV4I7PEdySGvm5GN66HA", "bool"),
    ("_V3dAkOmJEeG_gcDHG3asaQ", "int16_t"),
    ("_Y3550OmJEeG_gcDHG3asaQ", "uint16_t"),
    ("_yJpD0OmJEeG_gcDHG3asaQ", "int32_t"),
    ("_1q1SoOmJEeG_gcDHG3asaQ", "uint32_t"),
    ("_6hHFEOmJEeG_gcDHG3asaQ", "int64_t"),
    ("_8kiVYOmJEeG_gcDHG3asaQ", "uint64_t"),
    ("_b1zY4OmKEeG_gcDHG3asaQ", "wchar_t"),
    ("_zL7x0OmKEeG_gcDHG3asaQ", "int8_t"),
    ("_0-8nkOmKEeG_gcDHG3asaQ", "uint8_t"),
    // The run-time system's own classes.
    ("_XwBDEHDiEeS87_I7iwkr5g", "UMLRTMessage"),
    ("_GfwZUICSEeSeANT-DfY5oA", "UMLRTCapsuleId"),
    ("_6qkTMGXmEeS_4daqvwyFrg", "UMLRTTimerId"),
    ("_IWYV4G6NEeSyDdTKostG4Q", "UMLRTTimespec"),
    // UML's and Ecore's primitive types, as Papyrus-RT's code generator spells them.
    ("Integer", "int"),
    ("Boolean", "bool"),
    ("String", "char *"),
    ("Real", "double"),
    ("UnlimitedNatural", "unsigned int"),
    ("EInt", "int"),
    ("EBoolean", "bool"),
    ("EString", "char *"),
    ("EDouble", "double"),
    ("EFloat", "float"),
];

/// The type of an attribute or a parameter, as C++ spells it; `int` where nothing is said.
fn spelled<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> String {
    // What the C++ profile says comes first.
    let stereotypes = index.applied.get(id(node)).into_iter().flatten();
    let own = stereotypes
        .map(|stereotype| attribute(*stereotype, "type"))
        .find(|own| !own.is_empty());
    if let Some(own) = own {
        return own.to_owned();
    }
    let named = index.referred(node, "type").map(|of| attribute(of, "name"));
    let plain = named.map(str::to_owned).or_else(|| {
        let of = fragment(child(node, "type")?);
        let known = ANSI_C.iter().find(|(id, _)| *id == of);
        known.map(|(_, name)| (*name).to_owned())
    });
    let mut plain = match plain.as_deref() {
        Some("Integer") => "int".to_owned(),
        Some("Boolean") => "bool".to_owned(),
        Some("String") => "char *".to_owned(),
        Some("Real") => "double".to_owned(),
        Some(name) => name.to_owned(),
        None => "int".to_owned(),
    };
    let applied = |name: &str| index.stereotype(node, name).is_some();
    let flagged = |flag: &str| {
        let stereotypes = index.applied.get(id(node)).into_iter().flatten();
        stereotypes
            .into_iter()
            .any(|it| attribute(*it, flag) == "true")
    };
    if applied("Ptr") || flagged("pointsToType") || flagged("pointsToVolatile") {
        plain.push_str(" *");
    }
    if applied("Const") || flagged("pointsToConstType") {
        plain.insert_str(0, "const ");
    }
    plain
}

pub fn parameters<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> Vec<Parameter> {
    children(node, "ownedParameter")
        .filter(|parameter| attribute(*parameter, "direction") != "return")
        .map(|parameter| Parameter {
            name: attribute(parameter, "name").to_owned(),
            of: spelled(index, parameter),
            array: array(index, parameter),
        })
        .collect()
}

/// How many elements an attribute has; one that may have any number is an array of unknown size,
/// which action code cannot use as one.
fn array<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> Option<String> {
    index.replication(node).filter(|size| size != "*")
}

pub fn attribute_of<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> Attribute {
    Attribute {
        id: id(node).to_owned(),
        name: attribute(node, "name").to_owned(),
        place: index.place(node),
        of: spelled(index, node),
        array: array(index, node),
        initial: child(node, "defaultValue").and_then(|value| index.value(value)),
        shared: attribute(node, "isStatic") == "true",
    }
}

pub fn operations<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> Vec<Operation> {
    let one = |operation: Node<'a, 'i>| {
        let result = children(operation, "ownedParameter")
            .find(|parameter| attribute(*parameter, "direction") == "return");
        let method = attribute(operation, "method").split_whitespace().next();
        let body = method.and_then(|method| index.by_id.get(method).copied());
        Operation {
            id: id(operation).to_owned(),
            name: attribute(operation, "name").to_owned(),
            place: index.place(operation),
            returns: result.map_or("void".to_owned(), |result| spelled(index, result)),
            parameters: parameters(index, operation),
            shared: attribute(operation, "isStatic") == "true",
            body: body.and_then(|body| index.body(body)),
        }
    };
    children(node, "ownedOperation").map(one).collect()
}

/// Types of the model, and what stereotypes want to have before its code.
pub fn declarations<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>) -> Vec<Declaration> {
    let mut prelude = Vec::new();
    let mut types = Vec::new();
    let root = index.xml.document.root_element();
    // An element with an address is a mention of a type that another file declares.
    let is_here = |node: &Node<'_, '_>| node.is_element() && attribute(*node, "href").is_empty();
    for node in root.descendants().filter(is_here) {
        let place = index.place(node);
        let mut declare = |kind, name: &str, text: String| {
            let list = match kind {
                DeclarationKind::Prelude => &mut prelude,
                _ => &mut types,
            };
            list.push(Declaration {
                name: name.to_owned(),
                kind,
                code: Code { text, place },
            });
        };
        let name = attribute(node, "name");
        match kind(node) {
            "Enumeration" => {
                let literals: Vec<&str> = children(node, "ownedLiteral")
                    .map(|literal| attribute(literal, "name"))
                    .collect();
                let text = format!("enum {name} {{ {} }};", literals.join(", "));
                declare(DeclarationKind::Type, name, text);
            }
            "DataType" => declare(DeclarationKind::Type, name, structure(index, node)),
            "Class"
                if index.stereotype(node, "Capsule").is_none()
                    && children(node, "ownedBehavior").all(|it| kind(it) != "StateMachine") =>
            {
                declare(DeclarationKind::Type, name, structure(index, node));
            }
            _ if node.parent() == Some(root) => {
                for preface in ["headerPreface", "implementationPreface"] {
                    let text = attribute(node, preface);
                    if !text.trim().is_empty() {
                        declare(DeclarationKind::Prelude, tag(node), text.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    prelude.dedup_by(|one, other| one.code.text == other.code.text);
    // Enumerations need nothing before them.
    types.sort_by_key(|declaration| !declaration.code.text.starts_with("enum"));
    prelude.append(&mut types);
    prelude
}

fn structure<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> String {
    let mut text = format!("struct {} {{\n", attribute(node, "name"));
    for member in children(node, "ownedAttribute").filter(|it| kind(*it) == "Property") {
        let member = attribute_of(index, member);
        let size = member
            .array
            .map_or(String::new(), |size| format!("[{size}]"));
        text.push_str(&format!("    {} {}{size};\n", member.of, member.name));
    }
    for operation in operations(index, node) {
        let parameters: Vec<String> = operation
            .parameters
            .iter()
            .map(|parameter| format!("{} {}", parameter.of, parameter.name))
            .collect();
        let fixed = if operation.shared { "static " } else { "" };
        let head = format!(
            "    {fixed}{} {}({})",
            operation.returns,
            operation.name,
            parameters.join(", ")
        );
        match operation.body {
            Some(body) => text.push_str(&format!("{head} {{\n{}\n    }}\n", body.text)),
            None => text.push_str(&format!("{head};\n")),
        }
    }
    text.push_str("};");
    text
}
