//! Translates the header to declarations for LuaJIT: the argument of `ffi.cdef` in `love/hitmask.lua`.

use crate::items::{Item, items};

/// The widest line.
const WIDTH: usize = 118;

/// Returns `file` with the declarations of `header` in its `ffi.cdef`. The rest of the file is written by hand.
pub(crate) fn with_declarations(file: &str, header: &str) -> String {
    let (before, rest) = file.split_once("ffi.cdef [[\n").expect("declarations");
    let (_, after) = rest.split_once("]]\n").expect("an end of the declarations");
    format!("{before}ffi.cdef [[\n{}]]\n{after}", declarations(header))
}

fn declarations(header: &str) -> String {
    let (items, _) = items(&mut header.lines());
    let (mut constants, mut out) = (Vec::new(), String::new());
    for Item { text, members, .. } in items {
        let fields: Vec<String> = members.into_iter().map(|member| member.text).collect();
        if let Some((name, value)) = text.strip_prefix("#define ").and_then(|it| it.split_once(' '))
        {
            // LuaJIT's constants have 32 bits.
            if value.parse::<i32>().is_ok() {
                constants.push(format!("{name} = {value},"));
            }
        } else if let Some(name) = text.strip_prefix("typedef enum {}") {
            constants.extend(fields);
            // Numbers are faster than enums in LuaJIT.
            add(&mut out, &format!("typedef int32_t{name}"));
        } else if let Some((start, name)) = text.split_once("{}") {
            add(&mut out, &format!("{start}{{ {} }}{name}", fields.join(" ")));
        } else {
            add(&mut out, &text);
        }
    }
    add(&mut out, &format!("enum {{ {} }};", constants.join(" ").trim_end_matches(',')));
    out
}

/// Adds a declaration in lines of at most `WIDTH`.
fn add(out: &mut String, text: &str) {
    let mut width = 0;
    for word in text.split_whitespace() {
        if width + word.len() >= WIDTH {
            *out += "\n ";
            width = 1;
        }
        if width > 0 {
            out.push(' ');
            width += 1;
        }
        *out += word;
        width += word.len();
    }
    out.push('\n');
}
