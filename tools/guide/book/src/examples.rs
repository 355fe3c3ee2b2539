//! The preprocessor that shows examples and pictures.

use mdbook_preprocessor::book::{Book, Chapter};
use mdbook_preprocessor::errors::Error;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The languages in the order of the tabs: name, name for highlighting, and file of an example.
const LANGUAGES: [(&str, &str, &str); 7] = [
    ("Rust", "rust,ignore", "main.rs"),
    ("Python", "python", "main.py"),
    ("JavaScript", "js", "main.mjs"),
    ("C", "c", "main.c"),
    ("C++", "cpp", "main.cpp"),
    ("C#", "csharp", "Main.cs"),
    ("Lua", "lua", "main.lua"),
];

/// Replaces each line that is no more than a link out of the folder of chapters by the contents of its target, so that the
/// chapters can be read on a code host too:
///
/// - a folder of examples: their programs, one tab for each language, and what they print
/// - a picture: its SVG, with the text of the link below it
/// - a document, or its part with the name in the title of the link
/// - another file: its code
pub(crate) struct Examples;

impl Preprocessor for Examples {
    fn name(&self) -> &str {
        "examples"
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book, Error> {
        let mut faults = Vec::new();
        book.for_each_chapter_mut(|chapter| expand(&context.root, chapter, &mut faults));
        if faults.is_empty() { Ok(book) } else { Err(Error::msg(faults.join("\n"))) }
    }
}

fn expand(root: &Path, chapter: &mut Chapter, faults: &mut Vec<String>) {
    let mut text = String::new();
    for (line, content) in chapter.content.lines().enumerate() {
        match shown(&root.join("chapters"), content) {
            None => text += content,
            Some(Ok(shown)) => text += &shown,
            Some(Err(fault)) => {
                let path = chapter.source_path.as_deref().unwrap_or(Path::new("?")).display();
                faults.push(format!("chapters/{path}:{}: {fault}", line + 1));
            }
        }
        text.push('\n');
    }
    chapter.content = text;
}

/// Returns what a line shows in its place. `None` for a line that stays.
fn shown(chapters: &Path, line: &str) -> Option<Result<String, String>> {
    let (label, target) = line.trim_start_matches('!').strip_prefix('[')?.split_once("](../")?;
    let (target, part) = match target.strip_suffix(')')?.split_once(' ') {
        Some((target, title)) => (target, title.trim_matches('"')),
        None => (target.strip_suffix(')')?, ""),
    };
    let path = chapters.join("..").join(target);
    if path.is_dir() {
        return Some(programs(&path));
    }
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return Some(Err(format!("{}: {error}", path.display()))),
    };
    Some(match path.extension().and_then(OsStr::to_str) {
        Some("svg") => Ok(format!("<figure>\n{text}<figcaption>{label}</figcaption>\n</figure>")),
        Some("md") if target.ends_with("calls.md") => Ok(linked(&text)),
        Some("md") if part.is_empty() => Ok(text),
        Some("md") => part_of(&text, part).ok_or(format!("{target} has no part {part}")),
        extension => {
            let language = LANGUAGES.iter().find(|(.., file)| {
                Path::new(file).extension().and_then(OsStr::to_str) == extension
            });
            let language = language.map_or("text", |(_, highlighting, _)| highlighting);
            Ok(format!("```{language}\n{}\n```", text.trim_end()))
        }
    })
}

/// Returns the lines between the comments that open and close a part.
fn part_of(text: &str, part: &str) -> Option<String> {
    let (_, text) = text.split_once(&format!("<!-- ANCHOR: {part} -->\n"))?;
    Some(text.split_once(&format!("<!-- ANCHOR_END: {part} -->"))?.0.into())
}

/// Links the methods in the table of calls to the documentation, and the languages to their chapters.
fn linked(table: &str) -> String {
    let mut linked = String::new();
    let heads = "| C | C++ | C# | LÖVE | JavaScript | Python | Bevy |";
    let table = table.replace(
        heads,
        "| [C](c.md) | [C++](c.md) | [C#](c.md#c) | [LÖVE](c.md#luajit-and-löve) \
        | [JavaScript](javascript.md) | [Python](python.md) | [Bevy](bevy.md) |",
    );
    for (index, part) in table.split('`').enumerate() {
        let _ = match part.split_once("::") {
            Some((owner, method)) if index % 2 == 1 => {
                write!(linked, "[`{part}`](api/hitmask/struct.{owner}.html#method.{method})")
            }
            _ if index % 2 == 1 => write!(linked, "`{part}`"),
            _ => write!(linked, "{part}"),
        };
    }
    linked
}

/// Returns the programs of an example and what they print.
fn programs(folder: &Path) -> Result<String, String> {
    let read = |file: &str| fs::read_to_string(folder.join(file));
    let prints = read("prints.txt").map_err(|error| format!("{}: {error}", folder.display()))?;
    let (mut text, mut lacking) = (String::from("<div class=\"languages\">\n"), Vec::new());
    for (language, highlighting, file) in LANGUAGES {
        let Ok(code) = read(file) else {
            lacking.push(language);
            continue;
        };
        let code = code.trim();
        let _ = write!(
            text,
            "<div class=\"language\" data-language=\"{language}\">\n<p class=\"language-name\">{language}</p>\n\n\
             ```{highlighting}\n{code}\n```\n\n</div>\n"
        );
    }
    if !lacking.is_empty() {
        let _ = writeln!(text, "<p class=\"lacks\">Not shown in {}.</p>", lacking.join(", "));
    }
    let mut lines: Vec<&str> = prints.trim_end().lines().collect();
    if lines.len() > 12 {
        lines.splice(3..lines.len() - 3, ["..."]);
    }
    let _ = write!(text, "</div>\n\nIt prints:\n\n```text\n{}\n```\n", lines.join("\n"));
    Ok(text)
}
