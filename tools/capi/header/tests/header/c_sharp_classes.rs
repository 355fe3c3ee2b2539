//! Writes the methods of the classes for C#, `csharp/Classes.cs`: one for each function of the header that has a
//! regular form. Those of other forms are written by hand in `csharp/Hitmask.cs`.
//!
//! ```text
//! hm_status hm_world_ray(world, from, to, filter, hm_line_hit *hit), HM_NONE in its comment
//! -> public bool TryRay(Vec2 from, Vec2 to, out LineHit hit, Filter? filter = null)
//! ```

use crate::c_sharp::{
    FLAGS, Function, Header, OPTIONS, Types, UNSIGNED, Variable, camel, pascal, told,
};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Prefixes of functions, with the handle whose class has them.
const CLASSES: [(&str, &str); 8] = [
    ("hm_shape_grid_", "hm_shape_grid"),
    ("hm_placed_map_", "hm_placed_map"),
    ("hm_world_", "hm_world"),
    ("hm_atlas_", "hm_atlas"),
    ("hm_baker_", "hm_baker"),
    ("hm_batch_", "hm_batch"),
    ("hm_shape_", "hm_shape"),
    ("hm_mask_", "hm_mask"),
];

/// Functions whose methods are written by hand, with the names of these.
const BY_HAND: [(&str, &str); 45] = [
    ("hm_abi_version", "Library.Version"),
    ("hm_affine_placed", "Affine.Placed"),
    ("hm_affine_then", "Affine.Then"),
    ("hm_alpha_tolerance", "TexelRule.Tolerance"),
    ("hm_atlas_alike", "Atlas.Sprite"),
    ("hm_atlas_alpha_rule", "Atlas.AlphaRule"),
    ("hm_atlas_from_static", "Atlas.FromBytes"),
    ("hm_atlas_map", "Atlas.TryMap"),
    ("hm_atlas_sprite", "Atlas.TrySprite"),
    ("hm_atlas_sprite_info", "Atlas.SpriteInfo"),
    ("hm_baker_add_masks", "Bake.Masks"),
    ("hm_baker_add_planes", "Bake.Planes"),
    ("hm_baker_add_rgba", "Bake.Rgba"),
    ("hm_baker_bake", "Bake.ToBytes"),
    ("hm_baker_bake_atlas", "Bake.ToAtlas"),
    ("hm_baker_create", "new Bake"),
    ("hm_baker_set_compact", "Bake.Compact"),
    ("hm_baker_set_max_bytes", "Bake.MaxBytes"),
    ("hm_baker_set_resolution", "Bake.Resolution"),
    ("hm_baker_set_settings", "Bake.Settings"),
    ("hm_batch_create", "new Batch"),
    ("hm_last_error", "HitmaskException"),
    ("hm_mask_create", "new Mask"),
    ("hm_mask_from_polygons", "Mask.FromPolygons"),
    ("hm_mask_from_rgba_by_rule", "Mask.FromRgba"),
    ("hm_mask_polygons", "Mask.Polygons"),
    ("hm_mask_union", "Mask.Union"),
    ("hm_set_log", "Library.Log"),
    ("hm_shape_grid_create", "new ShapeGrid"),
    ("hm_shape_left_out", "Shape.LeftOut"),
    ("hm_status_text", "HitmaskException"),
    ("hm_version", "Library.Version"),
    ("hm_world_cast", "World.TryCast"),
    ("hm_world_cast_all", "World.CastAll"),
    ("hm_world_create", "new World"),
    ("hm_world_from_snapshot_over", "World.FromSnapshot"),
    ("hm_world_insert_map", "World.InsertMap"),
    ("hm_world_move_all", "World.MoveAll"),
    ("hm_world_move_and_slide", "World.MoveAndSlide"),
    ("hm_world_move_by_rules", "World.MoveByRules"),
    ("hm_world_move_by_rules_per_contact", "World.MoveByRulesPerContact"),
    ("hm_world_rays", "World.Rays"),
    ("hm_world_replace_atlas", "World.ReplaceAtlas"),
    ("hm_world_sprite_change", "ReloadReport.Changes"),
    ("hm_world_snapshot_to", "World.SnapshotTo"),
];

/// As `BY_HAND`, without a name that rows of the table of calls have.
const ALSO_BY_HAND: [(&str, &str); 3] = [
    ("hm_world_update_map", "World.UpdateMap"),
    ("hm_world_update_with", "World.UpdateWith"),
    ("hm_world_update_with_contacts", "World.UpdateWithContacts"),
];

/// Methods whose answer is not the point of the call, so that their names do not begin with "Try".
const NOT_TRIED: [&str; 2] = ["hm_world_move_body", "hm_world_move_until_contact"];

/// Methods without arguments that take time or give another answer each time, so that they are no properties.
const NOT_PROPERTIES: [&str; 3] = ["Angle", "StateHash", "PoseStats"];

/// Functions after which the lists of events are no longer valid.
const UPDATES: [&str; 2] = ["hm_world_update", "hm_world_restore"];

/// Default values of parameters that come last, with a part of the names of the functions that have them.
const DEFAULTS: [(&str, &str, &str); 17] = [
    ("alpha", "128", "mask_from"),
    ("angle", "0", "pose"),
    ("at", "default", ""),
    ("connectivity", "Hitmask.Connectivity.Eight", ""),
    ("flip_x", "false", ""),
    ("flip_y", "false", ""),
    ("frame", "0", ""),
    ("max_bytes", "ulong.MaxValue", ""),
    ("max_microseconds", "ulong.MaxValue", ""),
    ("operation", "Hitmask.BlitOperation.Draw", ""),
    ("order", "0", ""),
    ("plane", "0", ""),
    ("radius", "0", "pick"),
    ("scale", "1", ""),
    ("shape", "Hitmask.GrowShape.Disc", ""),
    ("side", "64", ""),
    ("solid", "true", ""),
];

/// Returns the class of a function, as its handle.
fn class_of(name: &str) -> Option<&'static str> {
    CLASSES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, handle)| handle)
}

fn by_hand(name: &str) -> Option<&'static str> {
    let all = BY_HAND.iter().chain(&ALSO_BY_HAND);
    let written = all.clone().find(|(function, _)| *function == name).map(|&(_, method)| method);
    written.or_else(|| name.ends_with("_destroy").then_some("Dispose"))
}

/// Returns the name of the method of a function, without its class.
fn method_name(function: &Function<'_>) -> String {
    let (prefix, _) =
        CLASSES.iter().find(|(it, _)| function.name.starts_with(it)).expect("a class");
    let name = pascal(&function.name[prefix.len()..]);
    let name = name.strip_prefix("Get").filter(|rest| !rest.is_empty()).unwrap_or(&name);
    match function.about.contains("HM_NONE") && !NOT_TRIED.contains(&function.name) {
        true => format!("Try{name}"),
        false => name.to_owned(),
    }
}

/// Returns the names of methods by the functions that they call, such as `World.TryRay`.
pub(crate) fn names(header: &Header) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for function in header.functions() {
        let written = by_hand(function.name).map(str::to_owned);
        let regular =
            || Some(format!("{}.{}", pascal(class_of(function.name)?), method_name(&function)));
        if let Some(name) = written.or_else(regular) {
            names.insert(function.name.to_owned(), name);
        }
    }
    names
}

/// Returns the kind of list that a function lends: the lists of one kind end together.
fn lends(function: &Function<'_>) -> String {
    let kinds = [
        ("that lends ids", "Ids"),
        ("that lends pairs of bodies", "BodyPairs"),
        ("that lends pairs other", "Pairs"),
        ("that lends hits", "Hits"),
        ("that lends points", "Points"),
        ("that lends bytes", "Bytes"),
        ("that lends contacts", "Contacts"),
        ("until the next update, the next", "Events"),
        ("until the next update of this grid", "Changed"),
        ("that moves colliders", "Moves"),
        ("is destroyed", "Whole"),
        ("hm_world_ray_all() or this function", "RayAll"),
    ];
    let known = kinds.iter().find(|(words, _)| function.about.contains(words));
    known.map_or_else(
        || method_name(function).trim_start_matches("Try").into(),
        |(_, kind)| (*kind).into(),
    )
}

/// Returns the default value of a parameter of a function.
fn default(function: &Function<'_>, variable: &Variable<'_>) -> Option<&'static str> {
    let is_it = |(name, _, part): &&(&str, &str, &str)| {
        *name == variable.name && function.name.contains(part)
    };
    DEFAULTS.iter().find(is_it).map(|&(_, value, _)| value)
}

/// What a method is made of.
#[derive(Default)]
struct Method {
    /// Parameters, and those with default values, which come last.
    parameters: Vec<String>,
    optional: Vec<String>,
    /// What stands before the call, and the arguments.
    checks: Vec<String>,
    fixed: Vec<String>,
    arguments: Vec<String>,
    kept: Vec<String>,
    /// The type and the expression of each answer.
    answers: Vec<(String, String, String)>,
}

/// Returns the type in C# of a number that goes in.
fn given(types: &Types<'_>, variable: &Variable<'_>) -> String {
    match variable.base {
        "uint8_t" if FLAGS.contains(&variable.name) => "bool".into(),
        "uint32_t" if !UNSIGNED.contains(&variable.name) => "int".into(),
        "size_t" => "int".into(),
        base => types.value(base),
    }
}

/// Returns the type of the items of a list, such as `hm_colliders`.
fn items_of(types: &Types<'_>, list: &str) -> Option<String> {
    let [items, count] = &types.structs.get(list)?[..] else { return None };
    let is_list = items.name == "items" && items.stars == 1 && count.name == "count";
    (is_list && items.base != "char" && !types.is_native(items.base)).then(|| match items.base {
        "uint32_t" => "int".into(),
        "uint64_t" => "long".into(),
        base => types.value(base),
    })
}

impl Method {
    /// Adds a parameter, with a default if it has one and no other parameter follows.
    fn add(&mut self, kind: &str, variable: &Variable<'_>, default: Option<&str>) {
        let name = camel(variable.name);
        match default {
            Some(value) => self.optional.push(format!("{kind} {name} = {value}")),
            None => self.parameters.push(format!("{kind} {name}")),
        }
    }

    fn answer(
        &mut self,
        types: &Types<'_>,
        function: &Function<'_>,
        variable: &Variable<'_>,
    ) -> Option<()> {
        let name = camel(variable.name);
        let raw = format!("{name}Out");
        let (kind, declared, value) = match (variable.base, variable.stars) {
            ("char", 2) => ("string".into(), "byte*".into(), format!("Utf8.Text({raw})")),
            (base, 2) if types.is_handle(base) => {
                let class = pascal(base);
                (
                    class.clone(),
                    "IntPtr".into(),
                    format!("{raw} == IntPtr.Zero ? null : new {class}({raw})"),
                )
            }
            ("hm_text", 1) => {
                ("string".into(), "hm_text".into(), format!("Utf8.Text({raw}.items)"))
            }
            ("hm_paths", 1) => {
                let value = format!(
                    "new Paths<Vec2>(this, Lends.{}, {raw}.points, {raw}.starts, {raw}.count)",
                    lends(function)
                );
                ("Paths<Vec2>".into(), "hm_paths".into(), value)
            }
            (base, 1) if types.is_native(base) => {
                let item = items_of(types, base)?;
                let value = format!(
                    "new Lent<{item}>(this, Lends.{}, {raw}.items, {raw}.count)",
                    lends(function)
                );
                (format!("Lent<{item}>"), base.into(), value)
            }
            ("bool", 1) => ("bool".into(), "byte".into(), format!("{raw} != 0")),
            ("uint32_t", 1) => ("int".into(), "uint".into(), format!("(int){raw}")),
            ("uint64_t", 1) if ["area", "count"].contains(&variable.name) => {
                ("long".into(), "ulong".into(), format!("(long){raw}"))
            }
            ("size_t", 1) => ("int".into(), "UIntPtr".into(), format!("(int)(ulong){raw}")),
            (base, 1) => (types.value(base), types.value(base), raw.clone()),
            _ => return None,
        };
        self.arguments.push(format!("out {declared} {raw}"));
        self.answers.push((kind, name, value));
        Some(())
    }

    /// Returns the parts of the method of a function, or nothing if it has no regular form.
    fn read(types: &Types<'_>, function: &Function<'_>) -> Option<Self> {
        let mut this = Self::default();
        let list = &function.parameters;
        let class = class_of(function.name)?;
        let is_instance = list.first().is_some_and(|it| it.base == class && it.stars == 1);
        let is_out = |it: &Variable<'_>| {
            it.stars > 0 && (!it.is_const || it.base == "char" && it.stars == 2)
        };
        let is_optional = |it: &Variable<'_>| {
            let has_count = it.stars == 0 || it.base == "hm_affine";
            is_out(it)
                || (!has_count
                    && it.is_const
                    && it.base.starts_with("hm_")
                    && !types.is_handle(it.base)
                    && it.base != "hm_collider")
                || default(function, it).is_some()
        };
        let mut at = usize::from(is_instance);
        if is_instance {
            this.arguments.push("Raw".into());
        }
        // Arrays that share the next count.
        let mut open: Vec<String> = Vec::new();
        while let Some(variable) = list.get(at) {
            let rest = &list[at + 1..];
            at += 1;
            let (base, name) = (variable.base, camel(variable.name));
            let has_count = rest
                .iter()
                .take_while(|it| it.stars == 1 || it.base == "size_t")
                .any(|it| it.base == "size_t" && it.stars == 0);
            let can_be_left_out = rest.iter().all(is_optional);
            if is_out(variable) {
                // A handle that is changed, not made.
                if variable.stars == 1 && types.is_handle(base) {
                    this.parameters.push(format!("{} {name}", pascal(base)));
                    this.arguments.push(format!("Of({name})"));
                    this.kept.push(name);
                } else {
                    this.answer(types, function, variable)?;
                }
                continue;
            }
            match (base, variable.stars) {
                ("char", 1) => {
                    this.add("string", variable, None);
                    this.arguments.push(format!("Utf8.Bytes({name})"));
                }
                (base, 1) if types.is_handle(base) => {
                    this.add(&pascal(base), variable, None);
                    this.arguments.push(format!("Of({name})"));
                    this.kept.push(name);
                }
                (base, 1) if has_count => {
                    let item = if base == "uint32_t" { "int".into() } else { types.value(base) };
                    this.add(&format!("ReadOnlySpan<{item}>"), variable, None);
                    this.fixed.push(format!(
                        "fixed ({item}* {name}At = &MemoryMarshal.GetReference({name}))"
                    ));
                    this.arguments.push(format!("{name}At"));
                    if let Some(first) = open.first() {
                        this.checks.push(format!("SameLength({first}.Length, {name}.Length);"));
                    }
                    open.push(name);
                }
                ("size_t", 0) if !open.is_empty() => {
                    this.arguments.push(format!("(UIntPtr)(uint){}.Length", open[0]));
                    open.clear();
                }
                ("hm_collider" | "hm_affine", 1) => {
                    this.add(&pascal(base), variable, None);
                    this.arguments.push(format!("&{name}"));
                }
                (base, 1) => {
                    let is_class = OPTIONS.contains(&base);
                    let kind = pascal(base) + if is_class { "" } else { "?" };
                    match can_be_left_out {
                        true => this.optional.push(format!("{kind} {name} = null")),
                        false => this.parameters.push(format!("{kind} {name}")),
                    }
                    let value = if is_class { "Native()" } else { "Value" };
                    this.checks.push(format!(
                        "var {name}Value = {name} == null ? default : {name}.{value};"
                    ));
                    this.arguments.push(format!("{name} == null ? null : &{name}Value"));
                }
                ("float", 0)
                    if variable.name == "x" && rest.first().is_some_and(|it| it.name == "y") =>
                {
                    this.parameters.push("Vec2 position".into());
                    this.arguments.push("position.X, position.Y".into());
                    at += 1;
                }
                (base, 0) => {
                    let kind = given(types, variable);
                    this.add(
                        &kind,
                        variable,
                        default(function, variable).filter(|_| can_be_left_out),
                    );
                    this.arguments.push(match (&*kind, base) {
                        ("bool", _) => format!("{name} ? (byte)1 : (byte)0"),
                        ("int", "uint32_t") => format!("(uint){name}"),
                        ("int", "size_t") => format!("Natural({name})"),
                        _ if types.is_id(base) => format!("{name}.Value"),
                        _ => name,
                    });
                }
                _ => return None,
            }
        }
        Some(this)
    }
}

/// What comments say of C alone, and what they say of C#.
const PHRASES: [(&str, &str); 19] = [
    ("HM_NONE", "False"),
    (", HM_NULL_POINTER", ""),
    ("; `origin` and `pivot` may be null", ""),
    ("; `origin` may be null", ""),
    ("; `borders` may be null", ""),
    ("; `thin` may be null", ""),
    ("; `closed` may be null", ""),
    (" `borders` may be null.", ""),
    (" `closed` may be null.", ""),
    (" `newest` may be null.", ""),
    (" Destroy the mask with hm_mask_destroy().", ""),
    (" Destroy it with hm_atlas_destroy().", ""),
    (" The flips are 0 or not.", ""),
    ("`solid` is 0 to clear", "`solid` is false to clear"),
    ("UINT64_MAX is no limit", "the default is no limit"),
    ("A null pointer to the options means", "No options mean"),
    ("if `count` is not", "if the number of bytes is not"),
    ("collider of a hit is 0", "collider of a hit is none"),
    ("0 for a pointer over none.", "None for a pointer over none."),
];

/// Returns the comment of a method, with the names of C.
fn method_about(function: &Function<'_>) -> String {
    let about = function.about.strip_prefix("Writes ").map(|rest| format!("Gets {rest}"));
    let about = about.unwrap_or_else(|| function.about.clone());
    PHRASES.iter().fold(about, |text, (from, to)| text.replace(from, to))
}

/// Returns the text of a method.
fn text(
    types: &Types<'_>,
    function: &Function<'_>,
    about: &str,
    setters: &[&str],
) -> Option<String> {
    let method = Method::read(types, function)?;
    let is_instance = method.arguments.first().is_some_and(|it| it == "Raw");
    let name = method_name(function);
    let is_tried = function.about.contains("HM_NONE");
    let has_lists = method
        .answers
        .iter()
        .any(|(kind, ..)| kind.starts_with("Lent<") || kind.starts_with("Paths"));
    let is_property = is_instance
        && method.parameters.is_empty()
        && method.optional.is_empty()
        && method.answers.len() == 1
        && !is_tried
        && !NOT_PROPERTIES.contains(&&*name)
        && !has_lists
        && !types.is_handle(&format!("hm_{}", method.answers[0].0.to_lowercase()))
        && method.answers[0].0 != "string";
    let mut body = Vec::new();
    if !is_instance {
        body.push("Library.Check();".into());
    }
    body.extend(method.checks.iter().cloned());
    if has_lists && !["Events", "Whole"].contains(&&*lends(function)) {
        body.push(format!("End(Lends.{});", lends(function)));
    }
    if UPDATES.contains(&function.name) {
        body.push("End(Lends.Events);".into());
    } else if function.about.contains("Older lent lists become invalid") {
        body.push("EndAll();".into());
    }
    for fixed in &method.fixed {
        body.push(fixed.clone());
    }
    let call = format!("Hm.{}({})", function.name, method.arguments.join(", "));
    let mut inside = Vec::new();
    inside.push(if is_tried {
        format!("var isThere = Is({call});")
    } else {
        format!("Is({call});")
    });
    let (outs, returned) = match is_tried {
        true => (&method.answers[..], "bool".to_owned()),
        false => (
            method.answers.get(1..).unwrap_or(&[]),
            method.answers.first().map_or("void", |it| &it.0).to_owned(),
        ),
    };
    for (_, name, value) in outs {
        inside.push(format!("{name} = {value};"));
    }
    // A text is copied while its object is alive. A list keeps its object.
    let is_text = returned == "string";
    if is_text {
        inside.push(format!("var copy = {};", method.answers[0].2));
    }
    if is_instance {
        inside.push("GC.KeepAlive(this);".into());
    }
    inside.extend(method.kept.iter().map(|name| format!("GC.KeepAlive({name});")));
    match (is_tried, method.answers.first()) {
        (true, _) => inside.push("return isThere;".into()),
        (false, Some(_)) if is_text => inside.push("return copy;".into()),
        (false, Some((_, _, value))) => inside.push(format!("return {value};")),
        _ => {}
    }
    let mut outs: Vec<_> =
        outs.iter().map(|(kind, name, _)| format!("out {kind} {name}")).collect();
    let mut parameters = method.parameters;
    parameters.append(&mut outs);
    parameters.extend(method.optional);
    let pad = "        ";
    let mut out = format!("{pad}/// <summary>{about}</summary>\n");
    let statik = if is_instance { "" } else { "static " };
    if is_property {
        let start = prefix(function.name);
        let setter = format!("{start}set_{}", &function.name[start.len()..]);
        let setter = setters.iter().find(|it| **it == setter);
        writeln!(out, "{pad}public {returned} {name} {{\n{pad}    get {{").unwrap();
        for line in &inside {
            writeln!(out, "{pad}        {line}").unwrap();
        }
        writeln!(out, "{pad}    }}").unwrap();
        if let Some(setter) = setter {
            writeln!(out, "{pad}    set {{\n{pad}        Is(Hm.{setter}(Raw, value));\n{pad}        GC.KeepAlive(this);\n{pad}    }}").unwrap();
        }
        writeln!(out, "{pad}}}").unwrap();
        return Some(out);
    }
    writeln!(out, "{pad}public {statik}{returned} {name}({}) {{", parameters.join(", ")).unwrap();
    let is_fixed = !method.fixed.is_empty();
    for (at, line) in body.iter().enumerate() {
        let last = at + 1 == body.len() && is_fixed;
        writeln!(out, "{pad}    {line}{}", if last { " {" } else { "" }).unwrap();
    }
    let inner = if is_fixed { "        " } else { "    " };
    for line in &inside {
        writeln!(out, "{pad}{inner}{line}").unwrap();
    }
    if is_fixed {
        writeln!(out, "{pad}    }}").unwrap();
    }
    writeln!(out, "{pad}}}").unwrap();
    Some(out)
}

fn prefix(name: &str) -> &'static str {
    CLASSES.iter().find(|(prefix, _)| name.starts_with(prefix)).expect("a class").0
}

/// Returns the text of `csharp/Classes.cs`.
pub(crate) fn classes(header: &Header) -> String {
    let (types, names) = (header.types(), names(header));
    let name_of = |name: &str| names.get(name).cloned();
    let functions = header.functions();
    let all: Vec<&str> = functions.iter().map(|it| it.name).collect();
    // A getter takes its setter into a property.
    let setters: Vec<&str> = all
        .iter()
        .copied()
        .filter(|name| {
            class_of(name).is_some()
                && name[prefix(name).len()..].strip_prefix("set_").is_some_and(|rest| {
                    all.contains(&&*format!("{}{rest}", prefix(name)))
                        && functions.iter().any(|it| it.name == *name && it.parameters.len() == 2)
                })
        })
        .collect();
    let mut out = "// The methods of the classes that have a regular form. Generated from hitmask.h by tools/capi/header.\n\
        using System;\nusing System.Runtime.InteropServices;\nusing Hitmask.Native;\n\nnamespace Hitmask {\n".to_owned();
    for handle in types.handles.iter().copied() {
        let own: Vec<_> = functions.iter().filter(|it| class_of(it.name) == Some(handle)).collect();
        let mut kinds: Vec<String> = Vec::new();
        for function in &own {
            let lends_list = function.parameters.iter().any(|it| {
                it.stars == 1 && !it.is_const && types.is_native(it.base) && it.base != "hm_text"
            });
            let kind = lends(function);
            if lends_list && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        writeln!(out, "    public sealed unsafe partial class {} {{", pascal(handle)).unwrap();
        if !kinds.is_empty() {
            out += "        // The kinds of lent lists: those of one kind end together.\n        static class Lends {\n";
            for (at, kind) in kinds.iter().enumerate() {
                writeln!(out, "            internal const int {kind} = {at};").unwrap();
            }
            writeln!(out, "            internal const int Count = {};\n        }}", kinds.len())
                .unwrap();
        }
        for function in own {
            if by_hand(function.name).is_some() || setters.contains(&function.name) {
                continue;
            }
            let about = told(&method_about(function), &name_of);
            out += &text(&types, function, &about, &setters).unwrap_or_else(|| {
                panic!("{} has no regular form: write its method by hand", function.name)
            });
        }
        out += "    }\n";
    }
    out + "}\n"
}
