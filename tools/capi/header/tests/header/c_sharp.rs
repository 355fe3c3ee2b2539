//! Translates the header to declarations for C#: `include/Hitmask.cs`.

use crate::items::{Item, items};
use std::collections::BTreeMap;
use std::fmt::Write;

const HELPERS: &str = include_str!("helpers.cs");

const INTRODUCTION: &str = "\
// hitmask for C#: every function of hitmask.h, as class Hm. See README.md. Compile with -unsafe; C# 7 is enough.
// Generated from hitmask.h by tools/capi/header.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Hitmask {
";

/// Names of the header that are words of C#.
const KEYWORDS: [&str; 1] = ["fixed"];

/// A parameter or a field.
struct Variable<'a> {
    is_const: bool,
    base: &'a str,
    stars: usize,
    name: &'a str,
    /// The number of items of an array with its brackets, or nothing.
    length: &'a str,
}

impl<'a> Variable<'a> {
    fn read(text: &'a str) -> Self {
        let text = text.trim();
        let (is_const, rest) = match text.strip_prefix("const ") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (base, _) = rest.split_once([' ', '*']).unwrap_or((rest, ""));
        let name = rest.rsplit([' ', '*']).next().unwrap_or_default();
        let (name, length) = name.split_at(name.find('[').unwrap_or(name.len()));
        Self { is_const, base, stars: rest.matches('*').count(), name, length }
    }

    fn c_sharp_name(&self) -> String {
        if KEYWORDS.contains(&self.name) { format!("@{}", self.name) } else { self.name.into() }
    }
}

#[derive(Default)]
struct Types<'a> {
    /// Names of numbers, with their C types.
    aliases: BTreeMap<&'a str, &'a str>,
    handles: Vec<&'a str>,
}

impl<'a> Types<'a> {
    /// Returns the C# type of a value. Handles are addresses.
    fn value(&self, base: &'a str) -> &'a str {
        match base {
            "uint8_t" | "bool" | "char" => "byte",
            "uint16_t" => "ushort",
            "uint32_t" => "uint",
            "uint64_t" => "ulong",
            "int32_t" => "int",
            "size_t" => "UIntPtr",
            _ if self.handles.contains(&base) => "IntPtr",
            _ => self.aliases.get(base).map_or(base, |number| self.value(number)),
        }
    }

    /// Returns the C# type of a field, a result, or a parameter of a callback.
    fn plain(&self, variable: &Variable<'a>) -> String {
        match (variable.base, variable.stars) {
            ("void", 1) => "IntPtr".into(),
            (base, 1) if self.handles.contains(&base) => "IntPtr".into(),
            (base, stars) => self.value(base).to_string() + &"*".repeat(stars),
        }
    }

    /// Returns the C# type of a parameter of a function. A length after it makes a pointer an array, which
    /// stays at its address during the call only.
    fn parameter(&self, variable: &Variable<'a>, after: &[Variable<'_>]) -> String {
        let is_handle = self.handles.contains(&variable.base);
        let has_length = after.iter().any(|next| (next.base, next.stars) == ("size_t", 0));
        match (variable.base, variable.stars, variable.is_const) {
            ("char", 1, true) => "byte[]".into(),
            ("char", 2, true) if has_length => "IntPtr[]".into(),
            ("char", 2, true) => "out byte*".into(),
            (_, 2, true) if is_handle => "IntPtr[]".into(),
            (_, 2, false) if is_handle => "out IntPtr".into(),
            (base, 1, _) if base != "void" && !is_handle && has_length => {
                self.value(base).to_string() + "[]"
            }
            (base, 1, false) if base != "void" && !is_handle => {
                "out ".to_string() + self.value(base)
            }
            _ => self.plain(variable),
        }
    }

    /// Returns the parameters of a declaration, which are in its last parentheses.
    fn parameters(&self, text: &'a str) -> String {
        // Callbacks get what the library lends. One function keeps the memory that it gets.
        let is_plain = text.contains("(*") || text.contains("hm_atlas_from_static(const");
        let (_, list) = text.rsplit_once('(').expect("parentheses");
        let list = list.trim_end_matches([';', ')']);
        let list: Vec<_> =
            list.split(',').filter(|one| *one != "void").map(Variable::read).collect();
        let one = |(at, variable): (usize, &Variable<'a>)| {
            let kind = match is_plain && variable.stars < 2 {
                true => self.plain(variable),
                false => self.parameter(variable, &list[at + 1..]),
            };
            format!("{kind} {}", variable.c_sharp_name())
        };
        list.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
    }
}

fn comment(out: &mut String, lines: &[String], indentation: &str) {
    let text = lines
        .join(" ")
        .replace("  ", " ")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    writeln!(out, "{indentation}/// <summary>{text}</summary>").unwrap();
}

pub(crate) fn translation(header: &str) -> String {
    let (items, _) = items(&mut header.lines());
    let mut types = Types::default();
    for item in &items {
        let words: Vec<&str> = item.text.trim_end_matches(';').split(' ').collect();
        match words[..] {
            ["typedef", "struct", name, _] => types.handles.push(name),
            ["typedef", number, name] => _ = types.aliases.insert(name, number),
            _ => {}
        }
    }
    let (mut out, mut functions) = (INTRODUCTION.to_string(), String::new());
    for Item { comment: about, text, members } in &items {
        let name = text.trim_end_matches(';').rsplit(' ').next().expect("a name");
        if let Some(constant) = text.strip_prefix("#define ") {
            let (name, value) = constant.split_once(' ').expect("a value");
            comment(&mut functions, about, "        ");
            // Numbers of type int fit every type that holds them.
            let (kind, value) = match value {
                "UINT64_MAX" => ("ulong", "ulong.MaxValue"),
                _ => ("int", value),
            };
            writeln!(functions, "        public const {kind} {name} = {value};").unwrap();
        } else if text.starts_with("typedef enum") {
            comment(&mut out, about, "    ");
            writeln!(out, "    public enum {name} {{").unwrap();
            for member in members {
                comment(&mut out, &member.comment, "        ");
                writeln!(out, "        {}", member.text).unwrap();
            }
            out += "    }\n";
        } else if text.starts_with("typedef struct {") {
            comment(&mut out, about, "    ");
            out += "    [StructLayout(LayoutKind.Sequential)]\n";
            writeln!(out, "    public unsafe struct {name} {{").unwrap();
            for member in members {
                comment(&mut out, &member.comment, "        ");
                let field = Variable::read(member.text.trim_end_matches(';'));
                let fixed = if field.length.is_empty() { "" } else { "fixed " };
                let (kind, name) = (types.plain(&field), field.c_sharp_name());
                writeln!(out, "        public {fixed}{kind} {name}{};", field.length).unwrap();
            }
            out += "    }\n";
        } else if let Some((result, rest)) = text.split_once(" (*") {
            let result = types.plain(&Variable::read(result.trim_start_matches("typedef ")));
            let (name, _) = rest.split_once(')').expect("a name");
            let parameters = types.parameters(text);
            comment(&mut out, about, "    ");
            out += "    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n";
            writeln!(out, "    public unsafe delegate {result} {name}({parameters});").unwrap();
        } else if !text.starts_with("typedef") {
            let (declared, _) = text.split_once('(').expect("a function");
            let function = Variable::read(declared);
            let (result, parameters) = (types.plain(&function), types.parameters(text));
            comment(&mut functions, about, "        ");
            functions +=
                "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n";
            writeln!(
                functions,
                "        public static extern {result} {}({parameters});",
                function.name
            )
            .unwrap();
        }
    }
    out + HELPERS + "\n    public static unsafe partial class Hm {\n" + &functions + "    }\n}\n"
}
