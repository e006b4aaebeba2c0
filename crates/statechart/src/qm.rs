//! Reads QM's models (`.qm`, QM 2 to 7 of Quantum Leaps): classes here, their charts in `chart.rs`.

mod chart;
mod payload;

use crate::model::{
    Attribute, Capsule, Code, Declaration, DeclarationKind, Format, Language, Model, Operation,
    Parameter, Semantics, SourceFile, Timer,
};
use crate::problem::{Problem, Refusal};
use crate::xml::{Xml, attribute, child, children, tag};
use crate::{Reading, finish};
use roxmltree::Node;

/// Reads the text of a `.qm` file.
pub fn read(file: &str, text: &str) -> Result<Reading, Refusal> {
    let xml = Xml::parse(file, text)?;
    let root = xml.document.root_element();
    if tag(root) != "model" || !root.has_attribute("version") {
        return Err(Refusal::one(
            file,
            Problem::error(
                xml.place(root),
                "not a QM model",
                format!(
                    "a QM model begins with <model version=…>, not with <{}>",
                    tag(root)
                ),
            ),
        ));
    }
    let mut problems = Vec::new();
    let mut model = Model {
        name: stem(file).to_owned(),
        file: file.to_owned(),
        format: Format::Qm,
        language: language(root),
        semantics: Semantics::QM,
        declarations: Vec::new(),
        files: Vec::new(),
        protocols: Vec::new(),
        capsules: Vec::new(),
        system: None,
        properties: Vec::new(),
    };
    let mut classes = Vec::new();
    for node in root.descendants().filter(Node::is_element) {
        match tag(node) {
            "attribute" if in_package(node) => model.declarations.push(variable(&xml, node)),
            "operation" if in_package(node) => model.declarations.push(function(&xml, node)),
            "class" if child(node, "statechart").is_none() => classes.push(node),
            "class" => {
                let (capsule, found) = capsule(&xml, node);
                model.capsules.push(capsule);
                problems.extend(found);
            }
            "file" => model.files.extend(source_file(&xml, node)),
            _ => {}
        }
    }
    // Types come before what uses them, as QM itself orders what it generates.
    let types = classes.iter().map(|node| class_type(&xml, *node));
    model.declarations.splice(0..0, types);
    model
        .declarations
        .sort_by_key(|declaration| match declaration.kind {
            DeclarationKind::Prelude => 0,
            DeclarationKind::Type => 1,
            DeclarationKind::Variable => 2,
            DeclarationKind::Function => 3,
        });
    let signals = payload::timers(&xml);
    let classes = classes.iter();
    let classes = classes
        .map(|node| (attribute(*node, "name"), *node))
        .collect();
    for capsule in &mut model.capsules {
        payload::find(capsule, &classes, &signals);
    }
    if model.capsules.is_empty() {
        problems.push(Problem::error(
            xml.place(root),
            "no state machine",
            "no class of this model has a state machine",
        ));
    }
    finish(model, problems)
}

/// The name of a file without folders and endings.
pub(crate) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

fn language(root: Node) -> Language {
    let named = child(root, "framework").map(|node| attribute(node, "name"));
    match named.unwrap_or(attribute(root, "framework")) {
        "qpcpp" => Language::Cpp,
        _ => Language::C,
    }
}

fn in_package(node: Node) -> bool {
    node.parent().is_some_and(|parent| tag(parent) == "package")
}

/// `fork[N]` as a name and what stands between its brackets.
fn split_array(declared: &str) -> (String, Option<String>) {
    match (declared.find('['), declared.rfind(']')) {
        (Some(open), Some(close)) if open < close => (
            declared[..open].trim().to_owned(),
            Some(declared[open + 1..close].trim().to_owned()),
        ),
        _ => (declared.trim().to_owned(), None),
    }
}

/// Whether the first bit of `properties` is set: what C calls static.
fn is_static(node: Node) -> bool {
    let text = attribute(node, "properties");
    let bits = text
        .strip_prefix("0x")
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    bits.is_some_and(|bits| bits & 1 == 1)
}

fn code_of(xml: &Xml, node: Node) -> Option<Code> {
    child(node, "code").and_then(|code| xml.code(code))
}

/// What C has of an attribute of a package: an enumeration, a macro or a variable.
fn variable(xml: &Xml, node: Node) -> Declaration {
    let name = attribute(node, "name");
    let of = attribute(node, "type");
    let place = xml.place(node);
    let code = code_of(xml, node);
    let body = code.as_ref().map_or("", |code| code.text.trim());
    let (kind, text) = match of {
        "enum" | "struct" | "union" => (DeclarationKind::Type, format!("{of} {name} {body}")),
        "#define" | "define" => (DeclarationKind::Prelude, format!("#define {name} {body}")),
        "typedef" => (DeclarationKind::Type, format!("typedef {body} {name};")),
        _ => (DeclarationKind::Variable, format!("{of} {name} {body}")),
    };
    let mut text = text.trim_end().to_owned();
    if kind != DeclarationKind::Prelude && !text.ends_with(';') {
        text.push(';');
    }
    Declaration {
        name: split_array(name).0,
        kind,
        code: Code {
            text,
            place: code.map_or(place, |code| code.place),
        },
    }
}

fn function(xml: &Xml, node: Node) -> Declaration {
    let operation = operation(xml, node);
    let parameters = match operation.parameters.is_empty() {
        true => "void".to_owned(),
        false => spelled(&operation.parameters),
    };
    let head = format!("{} {}({parameters})", operation.returns, operation.name);
    let (text, place) = match operation.body {
        Some(body) => (format!("{head} {{\n{}\n}}", body.text), body.place),
        None => (format!("{head};"), operation.place),
    };
    Declaration {
        name: operation.name,
        kind: DeclarationKind::Function,
        code: Code { text, place },
    }
}

fn spelled(parameters: &[Parameter]) -> String {
    let one = |parameter: &Parameter| match &parameter.array {
        Some(size) => format!("{} {}[{size}]", parameter.of, parameter.name),
        None => format!("{} {}", parameter.of, parameter.name),
    };
    parameters.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A class without a state machine, as the struct that QM makes of it.
fn class_type(xml: &Xml, node: Node) -> Declaration {
    let name = attribute(node, "name");
    let mut text = String::from("typedef struct {\n");
    if let Some(base) = attribute(node, "superclass").rsplit("::").next()
        && !base.is_empty()
    {
        text.push_str(&format!("    {base} super;\n"));
    }
    for field in children(node, "attribute").filter(|field| !is_static(*field)) {
        let (of, name) = (attribute(field, "type"), attribute(field, "name"));
        text.push_str(&format!("    {of} {name};\n"));
    }
    text.push_str(&format!("}} {name};"));
    Declaration {
        name: name.to_owned(),
        kind: DeclarationKind::Type,
        code: Code {
            text,
            place: xml.place(node),
        },
    }
}

fn source_file(xml: &Xml, node: Node) -> Option<SourceFile> {
    let code = child(node, "text").and_then(|text| xml.code(text))?;
    Some(SourceFile {
        name: attribute(node, "name").to_owned(),
        code,
    })
}

fn parameter(node: Node) -> Parameter {
    let (name, array) = split_array(attribute(node, "name"));
    Parameter {
        name,
        of: attribute(node, "type").to_owned(),
        array,
    }
}

fn operation(xml: &Xml, node: Node) -> Operation {
    Operation {
        id: attribute(node, "name").to_owned(),
        name: attribute(node, "name").to_owned(),
        place: xml.place(node),
        returns: attribute(node, "type").to_owned(),
        parameters: children(node, "parameter").map(parameter).collect(),
        shared: is_static(node),
        body: code_of(xml, node),
    }
}

fn member(xml: &Xml, node: Node) -> Attribute {
    let (name, array) = split_array(attribute(node, "name"));
    let initial = code_of(xml, node).map(|code| {
        let text = code.text.trim().trim_end_matches(';');
        text.strip_prefix('=').unwrap_or(text).trim().to_owned()
    });
    Attribute {
        id: name.clone(),
        name,
        place: xml.place(node),
        of: attribute(node, "type").to_owned(),
        array,
        initial,
        shared: is_static(node),
    }
}

fn capsule(xml: &Xml, node: Node) -> (Capsule, Vec<Problem>) {
    let attributes: Vec<Attribute> = children(node, "attribute")
        .map(|attribute| member(xml, attribute))
        .collect();
    let timers = attributes
        .iter()
        .filter(|attribute| attribute.of.rsplit("::").next() == Some("QTimeEvt"))
        .map(|attribute| Timer {
            name: attribute.name.clone(),
            place: attribute.place,
            event: None,
        })
        .collect();
    let name = attribute(node, "name").to_owned();
    let read = chart::read(xml, node, &name);
    let capsule = Capsule {
        id: name.clone(),
        name,
        place: xml.place(node),
        attributes,
        operations: children(node, "operation")
            .map(|operation_node| operation(xml, operation_node))
            .collect(),
        ports: Vec::new(),
        events: read.events,
        sends: Vec::new(),
        timers,
        machine: Some(read.machine),
    };
    (capsule, read.problems)
}
