//! Translates the header to C#: types and functions to `csharp/Native.cs`. `c_sharp_classes` writes the methods.

use crate::items::{Item, items};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Structs and numbers whose name in C# is not that of the header.
const RENAMED: [(&str, &str); 4] = [
    ("hm_baker", "Bake"),
    // A method has that name.
    ("hm_blit", "BlitOperation"),
    ("hm_placed_map", "PlacedMap"),
    ("hm_shape_grid", "ShapeGrid"),
];

/// Prefixes of constants that are not the name of their number.
const PREFIXES: [(&str, &str); 7] = [
    ("HM_ALPHA_", "hm_alpha_test"),
    ("HM_CONNECT_", "hm_connectivity"),
    ("HM_GROW_", "hm_grow_shape"),
    ("HM_LOG_", "hm_log_level"),
    ("HM_PICK_BY_", "hm_pick_order"),
    ("HM_SCAN_", "hm_scan_order"),
    ("HM_SPRITE_", "hm_sprite_change_kind"),
];

/// Bytes that are 0 or not.
pub(crate) const FLAGS: [&str; 10] = [
    "compact", "enabled", "fixed", "flip_x", "flip_y", "sensor", "sensors", "solid", "use_turn",
    "y_up",
];

/// Numbers of 32 bits that are sets of layers or names of bodies. All others fit an `int`.
pub(crate) const UNSIGNED: [&str; 6] =
    ["collides_with", "cookie", "label", "layers", "one_way", "owner"];

/// Structs of options, which are classes in C#, so that fields that are left out have their defaults.
pub(crate) const OPTIONS: [&str; 4] =
    ["hm_atlas_limits", "hm_filter", "hm_move_rules", "hm_shape_options"];

/// Words of C#.
const KEYWORDS: [&str; 1] = ["fixed"];

/// A parameter or a field.
#[derive(Clone, Copy)]
pub(crate) struct Variable<'a> {
    pub(crate) is_const: bool,
    pub(crate) base: &'a str,
    pub(crate) stars: usize,
    pub(crate) name: &'a str,
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

    fn native_name(&self) -> String {
        if KEYWORDS.contains(&self.name) { format!("@{}", self.name) } else { self.name.into() }
    }
}

impl Variable<'_> {
    /// Returns the names of the items of an array, or the name of a single value.
    fn items(&self, name: &str) -> String {
        let count = self.length.trim_matches(['[', ']']).parse();
        let names =
            |count: usize| (0..count).map(|at| format!("{}_{at}", self.name)).collect::<Vec<_>>();
        count.map_or_else(|_| name.to_owned(), |count| names(count).join(", "))
    }
}

/// `hm_line_hit` as `LineHit`.
pub(crate) fn pascal(name: &str) -> String {
    if let Some((_, renamed)) = RENAMED.iter().find(|(from, _)| *from == name) {
        return (*renamed).into();
    }
    let words = name.strip_prefix("hm_").unwrap_or(name).split('_');
    words
        .filter(|word| !word.is_empty())
        .map(|word| word[..1].to_uppercase() + &word[1..].to_lowercase())
        .collect()
}

/// `max_bytes` as `maxBytes`.
pub(crate) fn camel(name: &str) -> String {
    let name = pascal(name);
    name[..1].to_lowercase() + &name[1..]
}

/// The declarations of the header.
pub(crate) struct Header {
    items: Vec<Item>,
}

/// A function of the header.
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) parameters: Vec<Variable<'a>>,
    pub(crate) about: String,
}

impl Header {
    pub(crate) fn read(text: &str) -> Self {
        Self { items: items(&mut text.lines()).0 }
    }

    pub(crate) fn types(&self) -> Types<'_> {
        let mut types = Types::default();
        for item in &self.items {
            let words: Vec<&str> = item.text.trim_end_matches(';').split(' ').collect();
            match words[..] {
                ["typedef", "struct", name, _] if name != "{}" => types.handles.push(name),
                ["typedef", number, name] => _ = types.aliases.insert(name, number),
                _ if item.text.starts_with("typedef struct {") => {
                    let name = words.last().expect("a name");
                    let fields = item.members.iter().map(text_of).map(Variable::read);
                    types.structs.insert(name, fields.collect());
                }
                _ => {}
            }
        }
        types
    }

    pub(crate) fn functions(&self) -> Vec<Function<'_>> {
        let mut found = Vec::new();
        for Item { comment, text, .. } in &self.items {
            if text.starts_with("typedef") || text.starts_with('#') || text.contains("(*") {
                continue;
            }
            let (declared, _) = text.split_once('(').expect("a function");
            found.push(Function {
                name: Variable::read(declared).name,
                parameters: parameters(text),
                about: comment.join(" ").replace("  ", " "),
            });
        }
        found
    }
}

fn text_of(member: &Item) -> &str {
    member.text.trim_end_matches(';')
}

/// Returns the parameters of a declaration, which are in its last parentheses.
fn parameters(text: &str) -> Vec<Variable<'_>> {
    let (_, list) = text.rsplit_once('(').expect("parentheses");
    let list = list.trim_end_matches([';', ')']);
    list.split(',').filter(|one| *one != "void").map(Variable::read).collect()
}

#[derive(Default)]
pub(crate) struct Types<'a> {
    /// Names of numbers, with their C types.
    pub(crate) aliases: BTreeMap<&'a str, &'a str>,
    pub(crate) handles: Vec<&'a str>,
    pub(crate) structs: BTreeMap<&'a str, Vec<Variable<'a>>>,
}

impl<'a> Types<'a> {
    pub(crate) fn is_id(&self, base: &str) -> bool {
        base.ends_with("_id") && self.aliases.contains_key(base)
    }

    pub(crate) fn is_handle(&self, base: &str) -> bool {
        self.handles.contains(&base)
    }

    /// Says whether a struct is one of options or has pointers, so that only the namespace of the functions has it.
    pub(crate) fn is_native(&self, base: &str) -> bool {
        let fields = self.structs.get(base);
        OPTIONS.contains(&base)
            || fields
                .is_some_and(|all| all.iter().any(|it| it.stars > 0 || self.is_native(it.base)))
    }

    /// Returns the C# type of a value. Handles are addresses.
    pub(crate) fn value(&self, base: &str) -> String {
        match base {
            "uint8_t" | "bool" | "char" => "byte".into(),
            "uint16_t" => "ushort".into(),
            "uint32_t" => "uint".into(),
            "uint64_t" => "ulong".into(),
            "int32_t" => "int".into(),
            "size_t" => "UIntPtr".into(),
            "hm_status" => "Status".into(),
            "float" | "double" | "void" => base.into(),
            _ if self.is_handle(base) => "IntPtr".into(),
            _ if self.is_native(base)
                || base.starts_with("hm_keep")
                || base == "hm_log_callback" =>
            {
                base.into()
            }
            _ => pascal(base),
        }
    }

    /// Returns the C# type of a field, a result, or a parameter of a callback.
    fn plain(&self, variable: &Variable<'a>) -> String {
        match (variable.base, variable.stars) {
            ("void", 1) => "IntPtr".into(),
            (base, stars) if self.is_handle(base) => format!("IntPtr{}", "*".repeat(stars - 1)),
            (base, stars) => self.value(base) + &"*".repeat(stars),
        }
    }

    /// Returns the C# type of a parameter of a function.
    fn parameter(&self, variable: &Variable<'a>, after: &[Variable<'a>]) -> String {
        let is_handle = self.is_handle(variable.base);
        let has_length = after.iter().any(|next| (next.base, next.stars) == ("size_t", 0));
        match (variable.base, variable.stars, variable.is_const) {
            ("char", 1, true) => "byte[]".into(),
            ("char", 2, true) if has_length => "IntPtr[]".into(),
            ("char", 2, true) => "out byte*".into(),
            (_, 2, true) if is_handle => "IntPtr[]".into(),
            (_, 2, false) if is_handle => "out IntPtr".into(),
            (base, 1, false) if base != "void" && !is_handle && !has_length => {
                "out ".to_string() + &self.value(base)
            }
            // By value, ids and enums are numbers: small structs take a slower way through some runtimes.
            (base, 0, _) if self.is_id(base) => self.value(self.aliases[base]),
            _ => self.plain(variable),
        }
    }

    fn declared(&self, list: &[Variable<'a>], is_callback: bool) -> String {
        let one = |(at, variable): (usize, &Variable<'a>)| {
            let kind = match is_callback {
                true => self.plain(variable),
                false => self.parameter(variable, &list[at + 1..]),
            };
            format!("{kind} {}", variable.native_name())
        };
        list.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Returns a comment for C# with the names of C#. `name_of` gives those of functions.
pub(crate) fn told(text: &str, name_of: &dyn Fn(&str) -> Option<String>) -> String {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
        if end == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let word = rest[..end].trim_end_matches('.');
        out += &renamed(word, out.ends_with('`'), name_of);
        rest = &rest[word.len().max(1)..];
        if word.is_empty() {
            out.push(first);
        }
    }
    out.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the name in C# for a name of C in a comment.
fn renamed(word: &str, is_code: bool, name_of: &dyn Fn(&str) -> Option<String>) -> String {
    if let Some((name, field)) = word.split_once('.').filter(|(name, _)| name.starts_with("hm_")) {
        return format!("{}.{}", pascal(name), pascal(field));
    }
    if let Some(name) = word.strip_prefix("hm_default_") {
        return format!("new {}", pascal(name));
    }
    if word.starts_with("hm_") {
        return name_of(word).unwrap_or_else(|| pascal(word));
    }
    if let Some(status) = word.strip_prefix("HM_") {
        return match constant_type(word) {
            Some((name, member)) => format!("{}.{member}", pascal(&name)),
            None => pascal(status),
        };
    }
    if is_code && word.contains('_') { camel(word) } else { word.into() }
}

/// Returns the number of which a constant is a value, and the name of the value.
fn constant_type(constant: &str) -> Option<(String, String)> {
    const PLAIN: [&str; 8] = [
        "hm_accuracy",
        "hm_blit",
        "hm_certainty",
        "hm_channel",
        "hm_fit",
        "hm_graze",
        "hm_sampling",
        "hm_side",
    ];
    let plain = PLAIN.iter().map(|name| (name.to_uppercase() + "_", (*name).to_owned()));
    let others = PREFIXES.iter().map(|(prefix, name)| ((*prefix).to_owned(), (*name).to_owned()));
    let (prefix, name) = plain.chain(others).find(|(prefix, _)| constant.starts_with(prefix))?;
    let member = match &constant[prefix.len()..] {
        "4" => "Four".into(),
        "8" => "Eight".into(),
        member => pascal(&member.to_lowercase()),
    };
    Some((name, member))
}

/// Writes declarations with their comments, in which functions have the names of their methods.
struct Writer<'a> {
    types: Types<'a>,
    names: &'a dyn Fn(&str) -> Option<String>,
}

const INTRODUCTION: &str = "\
// The types of hitmask, and its functions as they are in C. Generated from hitmask.h by tools/capi/header.
using System;
using System.Runtime.InteropServices;
using Hitmask.Native;

";

/// An id: a number that only the library makes.
const ID: &str = "    [StructLayout(LayoutKind.Sequential)]
    public readonly struct NAME : IEquatable<NAME> {
        /// <summary>The number, which is 0 for none.</summary>
        public readonly NUMBER Value;
        /// <summary>Makes an id of a number that was kept.</summary>
        public NAME(NUMBER value) { Value = value; }
        /// <summary>True for 0, which names nothing.</summary>
        public bool IsNone => Value == 0;
        /// <inheritdoc/>
        public bool Equals(NAME other) => Value == other.Value;
        /// <inheritdoc/>
        public override bool Equals(object other) => other is NAME id && Equals(id);
        /// <inheritdoc/>
        public override int GetHashCode() => Value.GetHashCode();
        /// <inheritdoc/>
        public override string ToString() => \"NAME(\" + Value + \")\";
        /// <summary>Says whether two ids are equal.</summary>
        public static bool operator ==(NAME a, NAME b) => a.Value == b.Value;
        /// <summary>Says whether two ids differ.</summary>
        public static bool operator !=(NAME a, NAME b) => a.Value != b.Value;
    }
";

/// Returns the comment of a flag that is true or false.
fn about_flag(about: &str) -> String {
    let words = [
        ("Not 0 ", "True "),
        ("0 to ", "False to "),
        ("1 if ", "True if "),
        ("Default 1.", "Default true."),
        ("Default 0.", "Default false."),
    ];
    words.iter().fold(about.to_owned(), |text, (from, to)| text.replace(from, to))
}

impl Writer<'_> {
    fn comment(&self, out: &mut String, text: &str, indentation: &str) {
        writeln!(out, "{indentation}/// <summary>{}</summary>", told(text, self.names)).unwrap();
    }

    /// Returns the type in C# of a field that programs see.
    fn seen(&self, field: &Variable<'_>) -> String {
        match field.base {
            "uint32_t" if !UNSIGNED.contains(&field.name) => "int".into(),
            "uint64_t" => "long".into(),
            _ if FLAGS.contains(&field.name) => "bool".into(),
            base => self.types.value(base),
        }
    }

    /// Returns the class of a struct of options.
    fn options(&self, name: &str, about: &str, members: &[Item]) -> String {
        let (class, mut out) = (pascal(name), String::new());
        let (about, _) = about.split_once(" Fill it with ").unwrap_or((about, ""));
        self.comment(&mut out, about, "    ");
        writeln!(out, "    public sealed unsafe class {class} {{").unwrap();
        let (mut reads, mut writes) = (String::new(), String::new());
        for member in members {
            let field = Variable::read(text_of(member));
            if ["cookie", "reserved"].contains(&field.name) {
                continue;
            }
            let (own, kind, raw) =
                (pascal(field.name), self.seen(&field), self.types.value(field.base));
            let is_flag = kind == "bool";
            let about = member.comment.join(" ");
            self.comment(&mut out, &if is_flag { about_flag(&about) } else { about }, "        ");
            writeln!(out, "        public {kind} {own};").unwrap();
            let from = match () {
                () if is_flag => format!("native.{} != 0", field.name),
                () if kind != raw => format!("({kind})native.{}", field.name),
                () => format!("native.{}", field.name),
            };
            writeln!(reads, "            {own} = {from};").unwrap();
            let to = match () {
                () if is_flag => format!("{own} ? (byte)1 : (byte)0"),
                () if kind != raw => format!("({raw}){own}"),
                () => own,
            };
            writeln!(writes, "            native.{} = {to};", field.name).unwrap();
        }
        writeln!(out, "        readonly {name} defaults;").unwrap();
        out += &format!(
            "        /// <summary>Makes options with the defaults.</summary>\n        public {class}() {{\n            \
         Library.Check();\n            var native = defaults = Hm.hm_default_{}();\n{reads}        }}\n        \
         internal {name} Native() {{\n            var native = defaults;\n{writes}            return native;\n        }}\n    }}\n",
            &name[3..]
        );
        out
    }

    /// Writes a field of a public struct, with a property where it is a flag.
    fn field(&self, out: &mut String, field: &Variable<'_>, about: &str) {
        let (name, pad) = (pascal(field.name), "        ");
        if FLAGS.contains(&field.name) {
            let about = about_flag(about);
            writeln!(out, "{pad}byte {};", field.native_name()).unwrap();
            self.comment(out, &about, pad);
            let own = field.native_name();
            writeln!(out, "{pad}public bool {name} {{ get => {own} != 0; set => {own} = value ? (byte)1 : (byte)0; }}").unwrap();
            return;
        }
        self.comment(out, about, pad);
        let kind = self.seen(field);
        if !field.length.is_empty() {
            writeln!(out, "{pad}internal {kind} {};", field.items(field.name)).unwrap();
        } else if ["cookie", "reserved"].contains(&field.name) {
            writeln!(out, "{pad}internal {kind} {};", field.name).unwrap();
        } else {
            writeln!(out, "{pad}public {kind} {name};").unwrap();
        }
    }
}

/// Returns the text of `csharp/Native.cs`.
pub(crate) fn native(header: &Header, names: &dyn Fn(&str) -> Option<String>) -> String {
    let writer = Writer { types: header.types(), names };
    let types = &writer.types;
    let mut out = INTRODUCTION.to_owned() + "namespace Hitmask {\n";
    let (mut native, mut functions) = (String::new(), String::new());
    let mut enums: BTreeMap<String, String> = BTreeMap::new();
    for Item { comment: about, text, members } in &header.items {
        let name = text.trim_end_matches(';').rsplit(' ').next().expect("a name");
        let about = &about.join(" ").replace("  ", " ");
        if let Some(constant) = text.strip_prefix("#define ") {
            let (name, value) = constant.split_once(' ').expect("a value");
            if let Some((number, member)) = constant_type(name) {
                let values = enums.entry(number).or_default();
                writer.comment(values, about, "        ");
                writeln!(values, "        {member} = {value},").unwrap();
                continue;
            }
            writer.comment(&mut functions, about, "        ");
            let (kind, value) = match value {
                "UINT64_MAX" => ("ulong", "ulong.MaxValue"),
                _ => ("uint", value),
            };
            writeln!(functions, "        public const {kind} {name} = {value};").unwrap();
        } else if text.starts_with("typedef enum") {
            writer.comment(&mut out, about, "    ");
            out += "    public enum Status {\n";
            for member in members {
                writer.comment(&mut out, &member.comment.join(" "), "        ");
                let (name, value) = member.text.split_once(' ').expect("a value");
                writeln!(out, "        {} {value}", pascal(&name[3..].to_lowercase())).unwrap();
            }
            out += "    }\n";
        } else if text.starts_with("typedef struct {") && types.is_native(name) {
            writer.comment(&mut native, about, "    ");
            native += "    [StructLayout(LayoutKind.Sequential)]\n";
            writeln!(native, "    public unsafe struct {name} {{").unwrap();
            for member in members {
                writer.comment(&mut native, &member.comment.join(" "), "        ");
                let field = Variable::read(text_of(member));
                let (kind, name) = (types.plain(&field), field.native_name());
                let access = if field.length.is_empty() { "public" } else { "internal" };
                writeln!(native, "        {access} {kind} {};", field.items(&name)).unwrap();
            }
            native += "    }\n";
            if OPTIONS.contains(&name) {
                out += &writer.options(name, about, members);
            }
        } else if text.starts_with("typedef struct {") {
            writer.comment(&mut out, about, "    ");
            out += "    [StructLayout(LayoutKind.Sequential)]\n";
            writeln!(out, "    public partial struct {} {{", pascal(name)).unwrap();
            for member in members {
                let about = member.comment.join(" ");
                writer.field(&mut out, &Variable::read(text_of(member)), &about);
            }
            out += "    }\n";
        } else if let Some((result, rest)) = text.split_once(" (*") {
            let result = types.plain(&Variable::read(result.trim_start_matches("typedef ")));
            let (name, _) = rest.split_once(')').expect("a name");
            writer.comment(&mut native, about, "    ");
            native += "    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n";
            let parameters = types.declared(&parameters(text), true);
            writeln!(native, "    public unsafe delegate {result} {name}({parameters});").unwrap();
        } else if types.is_id(name) {
            writer.comment(&mut out, about, "    ");
            out += &ID
                .replace("NAME", &pascal(name))
                .replace("NUMBER", &types.value(types.aliases[name]));
        } else if !text.starts_with("typedef") {
            let (declared, _) = text.split_once('(').expect("a function");
            let function = Variable::read(declared);
            let list = types.declared(&parameters(text), false);
            writer.comment(&mut functions, about, "        ");
            functions +=
                "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n";
            let result = types.plain(&function);
            writeln!(functions, "        public static extern {result} {}({list});", function.name)
                .unwrap();
        }
    }
    for (name, values) in enums {
        let about = header.items.iter().find(|item| item.text.ends_with(&format!(" {name};")));
        writer.comment(&mut out, &about.expect("a number").comment.join(" "), "    ");
        let number = types.value(types.aliases[&*name]);
        writeln!(out, "    public enum {} : {number} {{\n{values}    }}", pascal(&name)).unwrap();
    }
    out + "}\n\nnamespace Hitmask.Native {\n"
        + &native
        + "    /// <summary>The functions of hitmask.h. The classes call them; programs rarely do.</summary>\n    \
           public static unsafe class Hm {\n        \
           // libhitmask.so, libhitmask.dylib or hitmask.dll. Unity links it into the program on iOS and for browsers.\n\
           #if UNITY_2017_1_OR_NEWER && !UNITY_EDITOR && (UNITY_IOS || UNITY_WEBGL)\n        \
           const string Library = \"__Internal\";\n#else\n        const string Library = \"hitmask\";\n#endif\n\n"
        + &functions
        + "    }\n}\n"
}
