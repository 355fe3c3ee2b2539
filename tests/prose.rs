//! The language of the project: doc comments of `src` and of the baker, and all Markdown files, use short
//! sentences.
//!
//! A sentence has at most 25 words, and no word for a person stands for data, threads or colliders.
//! A code span counts as one word and a link as its text. Fenced code blocks are skipped.

use std::fs;
use std::path::{Path, PathBuf};

const MAX_WORDS: usize = 25;

const PERSON_WORDS: &str = "who whom whoever whomever nobody somebody someone \
    everybody everyone anybody anyone";

#[test]
fn sentences_are_short_and_name_no_persons() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "tools/bake/src"].map(|folder| files(&root.join(folder), "rs"));
    let (sources, documents) = (folders.concat(), files(root, "md"));
    assert!(sources.len() > 100 && documents.len() > 5, "the files are elsewhere");
    let mut findings = Vec::new();
    for path in sources.iter().chain(&documents) {
        let name = path.strip_prefix(root).unwrap().display().to_string();
        let text = fs::read_to_string(path).unwrap();
        let found = match &*name {
            "CHANGELOG.md" => check(newest_section(&text).lines().map(Some)),
            _ if name.ends_with(".rs") => check(text.lines().map(doc_comment)),
            _ => check(text.lines().map(Some)),
        };
        findings.extend(found.iter().map(|(line, fault)| format!("{name}:{line}: {fault}")));
    }
    assert!(findings.is_empty(), "{} findings\n{}", findings.len(), findings.join("\n"));
}

/// Returns the files below `folder` with this extension, without build output and hidden folders.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the change log without the sections of older versions: they are history.
fn newest_section(text: &str) -> &str {
    text.match_indices("\n## ").nth(1).map_or(text, |(older, _)| &text[..older])
}

/// Returns the text of a doc comment line, `None` for any other line.
fn doc_comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}

/// Returns each fault with the first line of its paragraph. A line of `None` separates two texts.
fn check<'a>(lines: impl Iterator<Item = Option<&'a str>>) -> Vec<(usize, String)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut faults = Vec::new();
    for (line, text) in paragraphs(lines) {
        for sentence in sentences(&without_link_targets(&without_code(&text))) {
            let words = sentence.iter().filter(|word| word.contains(is_word)).count();
            let sentence = sentence.join(" ");
            if words > MAX_WORDS {
                faults.push((line, format!("{words} words: {sentence}")));
            }
            for word in sentence.split(|c| !is_word(c)) {
                if PERSON_WORDS.split(' ').any(|person| person.eq_ignore_ascii_case(word)) {
                    faults.push((line, format!("person {word}: {sentence}")));
                }
            }
        }
    }
    faults
}

/// Returns paragraphs, headings, list items and table cells, each with its first line.
fn paragraphs<'a>(lines: impl Iterator<Item = Option<&'a str>>) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut is_fenced, mut is_open) = (false, false);
    for (line, number) in lines.zip(1..) {
        let text = line.unwrap_or("").trim();
        let is_fence = text.starts_with("```");
        is_fenced = line.is_some() && is_fenced != is_fence;
        let is_link_definition = text.starts_with('[') && text.contains("]:");
        if is_fenced || is_fence || is_link_definition || text.is_empty() {
            is_open = false;
        } else if let Some(row) = text.strip_prefix('|') {
            found.extend(row.split('|').map(|cell| (number, cell.to_owned())));
            is_open = false;
        } else {
            let is_heading = text.starts_with('#');
            match (list_item(text), found.last_mut()) {
                (None, Some((_, paragraph))) if is_open && !is_heading => {
                    *paragraph += " ";
                    *paragraph += text;
                }
                (item, _) => found.push((number, item.unwrap_or(text).to_owned())),
            }
            is_open = !is_heading;
        }
    }
    found
}

/// Returns the text of a list item without its mark, `None` for any other line.
fn list_item(line: &str) -> Option<&str> {
    let (mark, text) = line.split_once(' ')?;
    let is_number = |mark: &str| !mark.is_empty() && mark.bytes().all(|b| b.is_ascii_digit());
    (matches!(mark, "-" | "*" | "+") || mark.strip_suffix('.').is_some_and(is_number))
        .then_some(text)
}

/// Replaces each code span by a word. A backtick without a partner stays.
fn without_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let is_code = |i: usize| i % 2 == 1 && i + 1 < parts.len();
    parts.iter().enumerate().map(|(i, part)| if is_code(i) { "X" } else { part }).collect()
}

/// Cuts `](target)` off inline links.
fn without_link_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest))
}

fn sentences(text: &str) -> Vec<Vec<&str>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let starts = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "`\"([*".contains(c);
    let is_last = |word: &str, next: &str| {
        let end = word.trim_end_matches(['"', '\'', ')', '*']);
        let is_short_form = matches!(end.trim_start_matches('('), "e.g." | "i.e." | "etc." | "vs.");
        end.ends_with(['.', '!', '?']) && !is_short_form && next.starts_with(starts)
    };
    words.chunk_by(|word, next| !is_last(word, next)).map(<[&str]>::to_vec).collect()
}
