//! Follows the links of the built pages.

use html5gum::{Token, Tokenizer};
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// What a page has: its links, each as it is written, and its anchors.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: HashSet<String>,
}

impl Page {
    fn read(path: &Path) -> io::Result<Self> {
        let (text, mut page) = (fs::read_to_string(path)?, Self::default());
        for token in Tokenizer::new(&text) {
            let Ok(Token::StartTag(tag)) = token else { continue };
            for (name, value) in &tag.attributes {
                let value = String::from_utf8_lossy(value).into_owned();
                match &***name {
                    b"href" | b"src" => page.links.push(value),
                    b"id" | b"name" => _ = page.anchors.insert(value),
                    _ => {}
                }
            }
        }
        Ok(page)
    }
}

/// Returns a fault for each link of the pages to something that is not in `out`, with the line of its chapter.
pub(crate) fn check(chapters: &Path, pages: &[PathBuf], out: &Path) -> io::Result<Vec<String>> {
    let (mut known, mut faults) = (HashMap::new(), Vec::new());
    for source in pages {
        let built = out.join(source).with_extension("html");
        let built = if built.exists() { built } else { out.join("index.html") };
        let chapter = fs::read_to_string(chapters.join(source))?;
        for link in Page::read(&built)?.links {
            if link.contains(':') || link.starts_with("//") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = path.split('?').next().unwrap_or_default();
            let target = match path {
                "" => built.clone(),
                path => normal(&built.with_file_name(path)),
            };
            let target = if target.is_dir() { target.join("index.html") } else { target };
            let fault = if !target.exists() {
                "no such page or file"
            } else if anchor.is_empty() || target.extension().is_none_or(|end| end != "html") {
                continue;
            } else {
                if !known.contains_key(&target) {
                    known.insert(target.clone(), Page::read(&target)?.anchors);
                }
                if known[&target].contains(anchor) {
                    continue;
                }
                "no such anchor"
            };
            let written = link.replace(".html", ".md");
            let line =
                chapter.lines().position(|line| line.contains(&*written) || line.contains(&*link));
            let line = line.map_or(String::new(), |line| format!(":{}", line + 1));
            faults.push(format!("chapters/{}{line}: link to {link}: {fault}", source.display()));
        }
    }
    faults.dedup();
    Ok(faults)
}

/// Resolves `..` without the file system.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = normal.pop(),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}
