//! Pieces that every harness has: quoted text, cells and roots.

use super::FunctionOptions;
use super::plan::{Cell, Root, RootLength};
use elsewise_driver::names::HARNESS;
use std::fmt::Write;

/// From here on, lines are the harness's own.
pub(super) fn own_line() -> String {
    format!("#line 1 {}\n", quoted(HARNESS))
}

pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(byte.into());
            }
            b' '..=b'~' => quoted.push(byte.into()),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}

pub(super) fn write_cells(text: &mut String, name: &str, cells: &[Cell]) {
    if cells.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "static const struct elsewise_cell elw_cells_{name}[] = {{"
    );
    for cell in cells {
        let _ = writeln!(
            text,
            "    {{ {}, {}, {}, {}, &elw_ways_{}, {}, {} }},",
            cell.offset,
            cell.size,
            cell.count,
            cell.stride,
            cell.ways,
            cell.length.map_or(0, |length| length.offset),
            cell.length.map_or(0, |length| length.size),
        );
    }
    text.push_str("};\n");
}

pub(super) fn cells_name(name: &str, cells: &[Cell]) -> String {
    match cells.is_empty() {
        true => "0".into(),
        false => format!("elw_cells_{name}"),
    }
}

pub(super) fn write_root(text: &mut String, name: &str, root: &Root, options: &FunctionOptions) {
    let _ = write!(
        text,
        "{{ {}, (void *)&{}, sizeof {}, {}, {}, {}, {}, 0 }}",
        quoted(&root.name),
        root.variable,
        root.variable,
        root.cells.len(),
        cells_name(name, &root.cells),
        match root.length {
            RootLength::None => "NO_LENGTH",
            RootLength::Unsigned => "UNSIGNED_LENGTH",
            RootLength::Signed => "SIGNED_LENGTH",
        },
        options.max_elements,
    );
}
