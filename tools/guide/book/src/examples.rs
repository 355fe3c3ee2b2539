//! The preprocessor that shows examples and pictures.

use mdbook_preprocessor::book::{Book, Chapter};
use mdbook_preprocessor::errors::Error;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
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

/// Replaces each line `{{#example NAME}}` by the programs of that example, and `{{#picture NAME}}` by the SVG of that
/// name.
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
        let name = |verb: &str| content.strip_prefix(verb)?.strip_suffix("}}");
        let replaced = match (name("{{#example "), name("{{#picture ")) {
            (Some(name), _) => Some(shown(&root.join("examples").join(name))),
            (_, Some(name)) => {
                let path = root.join("pictures").join(name).with_extension("svg");
                Some(
                    fs::read_to_string(&path)
                        .map_err(|error| format!("{}: {error}", path.display())),
                )
            }
            _ => None,
        };
        match replaced {
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

/// Returns the programs of an example and what they print.
fn shown(folder: &Path) -> Result<String, String> {
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
