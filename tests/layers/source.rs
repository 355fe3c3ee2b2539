//! Parser of the paths that a source file names.
//!
//! It reads tokens, so comments and strings do not count. Items behind `#[cfg(test)]` are skipped.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path as FilePath;

/// A module as its path from the crate root.
pub(crate) type Module = Vec<String>;

/// A path such as `crate::geom::Rect`, without generic arguments.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The module that contains the path.
    pub(crate) at: Module,
    pub(crate) names: Vec<String>,
    /// True in a `use` item, false in other code.
    pub(crate) is_use: bool,
}

/// A source file and the paths that it names.
#[derive(Debug, Default)]
pub(crate) struct File {
    /// Path of the file below `src`, with `/` between folders.
    pub(crate) name: String,
    pub(crate) module: Module,
    pub(crate) paths: Vec<Path>,
    pub(crate) words: BTreeSet<String>,
    /// Names that the file declares or imports. They hide an external crate of the same name.
    local_names: BTreeSet<String>,
    /// Modules behind `#[cfg(test)]` in files of their own.
    test_modules: Vec<Module>,
}

/// Returns all files of the library except those that exist only in tests.
pub(crate) fn library() -> Vec<File> {
    let files = sources("src");
    // There are about 200.
    assert!(files.len() > 100, "found only {} source files", files.len());
    files
}

/// Returns the files of a crate with its root in `folder`, except those that exist only in tests.
pub(crate) fn sources(folder: &str) -> Vec<File> {
    let root = FilePath::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut folders, mut files) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                files.push(File::new(&name, &fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let of_tests: Vec<Module> = files.iter().flat_map(|file| file.test_modules.clone()).collect();
    files.retain(|file| !of_tests.iter().any(|module| file.module.starts_with(module)));
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

impl File {
    /// Parses the text of the file `name`, a path below `src`.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let stem = name.strip_suffix(".rs").unwrap();
        let mut module: Module = stem.split('/').map(str::to_owned).collect();
        module.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
        let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut file = Self { name: name.to_owned(), module, ..Self::default() };
        file.scan(tokens, &file.module.clone());
        file
    }

    /// Returns the first name of a path if it can be an external crate.
    pub(crate) fn external_crate<'p>(&self, path: &'p Path) -> Option<&'p str> {
        let first = path.names.first()?.as_str();
        let is_global = first == "::";
        let name = if is_global { path.names.get(1)?.as_str() } else { first };
        (is_global || !self.local_names.contains(name)).then_some(name)
    }

    /// Collects the paths of `tokens`, which belong to the module `at`.
    fn scan(&mut self, tokens: TokenStream, at: &Module) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut i = 0;
        while i < tokens.len() {
            let rest = &tokens[i..];
            if let TokenTree::Ident(word) = &tokens[i] {
                self.words.insert(without_raw_prefix(word));
            }
            i += match rest {
                [hash, TokenTree::Group(attribute), ..] if is_punct(hash, '#') => {
                    if is_test(attribute) { self.skip(&rest[2..], at) + 2 } else { 1 }
                }
                // An inner attribute applies to the whole module.
                [hash, mark, TokenTree::Group(attribute), ..]
                    if is_punct(hash, '#') && is_punct(mark, '!') && is_test(attribute) =>
                {
                    return;
                }
                [word, TokenTree::Ident(name), TokenTree::Group(body), ..]
                    if is_ident(word, "mod") =>
                {
                    let name = name.to_string();
                    self.local_names.insert(name.clone());
                    self.words.insert(name.clone());
                    self.scan(body.stream(), &[&at[..], &[name]].concat());
                    3
                }
                [word, TokenTree::Ident(name), ..] if is_ident(word, "mod") => {
                    self.local_names.insert(name.to_string());
                    2
                }
                [word, TokenTree::Ident(name), ..] if is_ident(word, "crate") => {
                    // `extern crate name`. In a path, `crate` is followed by punctuation.
                    self.push(at, vec![name.to_string()], true);
                    2
                }
                // `use<'a>` is a list of captured lifetimes, not an import.
                [word, next, ..] if is_ident(word, "use") && !is_punct(next, '<') => {
                    let end =
                        rest.iter().position(|token| is_punct(token, ';')).unwrap_or(rest.len());
                    self.use_tree(&rest[1..end], at, &[]);
                    end
                }
                [TokenTree::Group(group), ..] => {
                    self.scan(group.stream(), at);
                    1
                }
                _ => self.path(&tokens, i, at),
            };
        }
    }

    /// Collects the path at token `i`, if there is one. Returns the number of tokens read, at least
    /// 1.
    fn path(&mut self, tokens: &[TokenTree], i: usize, at: &Module) -> usize {
        let (mut names, mut read) = (Vec::new(), 0);
        if is_separator(&tokens[i..]) {
            if continues(&tokens[..i]) {
                // The path continues one before, or one that has generic arguments.
                return 2 + usize::from(matches!(tokens.get(i + 2), Some(TokenTree::Ident(_))));
            }
            (names, read) = (vec!["::".to_owned()], 2);
        } else if i > 0 && is_punct(&tokens[i - 1], '$') && !is_ident(&tokens[i], "crate") {
            // A macro variable.
            return 1;
        } else if matches!(&tokens[i], TokenTree::Ident(word) if is_keyword(word)) {
            return 1;
        }
        while let Some(TokenTree::Ident(name)) = tokens.get(i + read) {
            names.push(without_raw_prefix(name));
            read += 1;
            if !is_separator(&tokens[i + read..]) {
                break;
            }
            read += 2;
        }
        if names.len() > 1 {
            // Generic arguments after `::` are read next: `Vec::<image::Rgba<u8>>::new`.
            self.push(at, names, false);
        }
        read.max(1)
    }

    /// Collects the full paths of a `use` tree such as `a::{b, c::{d as e, *}}`.
    fn use_tree(&mut self, tokens: &[TokenTree], at: &Module, before: &[String]) {
        let (mut names, mut i) = (before.to_vec(), 0);
        if is_separator(tokens) {
            (names, i) = (vec!["::".to_owned()], 2);
        }
        let mut alias = None;
        while i < tokens.len() {
            match &tokens[i] {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for branch in
                        inner.split(|token| is_punct(token, ',')).filter(|b| !b.is_empty())
                    {
                        self.use_tree(branch, at, &names);
                    }
                    return;
                }
                TokenTree::Ident(name) if *name == "as" => {
                    alias = tokens.get(i + 1).map(ToString::to_string);
                    break;
                }
                TokenTree::Ident(name) if *name == "self" && !names.is_empty() => {}
                TokenTree::Ident(name) => names.push(without_raw_prefix(name)),
                _ => {}
            }
            i += 1;
        }
        let local_name = alias.or_else(|| names.last().cloned());
        // `use image as x` and `use image` import the external crate itself, so they do not hide
        // it.
        if names.len() > 1 && names[0] != "::" {
            self.local_names.extend(local_name);
        }
        self.push(at, names, true);
    }

    fn push(&mut self, at: &Module, names: Vec<String>, is_use: bool) {
        self.words.extend(names.iter().cloned());
        self.paths.push(Path { at: at.clone(), names, is_use });
    }

    /// Returns the number of tokens of the item, field or match arm at the start of `tokens`.
    fn skip(&mut self, tokens: &[TokenTree], at: &Module) -> usize {
        let mut angles = 0;
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    return i
                        + 1
                        + usize::from(tokens.get(i + 1).is_some_and(|t| is_punct(t, ';')));
                }
                TokenTree::Punct(mark) => match mark.as_char() {
                    ';' => {
                        if let [.., word, TokenTree::Ident(name)] = &tokens[..i]
                            && is_ident(word, "mod")
                        {
                            self.test_modules.push([&at[..], &[name.to_string()]].concat());
                        }
                        return i + 1;
                    }
                    ',' if angles == 0 => return i + 1,
                    '<' => angles += 1,
                    '>' if i == 0 || !is_punct(&tokens[i - 1], '-') => angles -= 1,
                    _ => {}
                },
                _ => {}
            }
        }
        tokens.len()
    }
}

impl Path {
    /// Returns the path from the crate root, `None` if it starts with a crate or a local name.
    pub(crate) fn absolute(&self) -> Option<Module> {
        let mut names = &self.names[..];
        let mut module = match names.first()?.as_str() {
            "crate" => Module::new(),
            "self" | "super" => self.at.clone(),
            _ => return None,
        };
        if names[0] != "super" {
            names = &names[1..];
        }
        while let Some((first, rest)) = names.split_first()
            && first == "super"
        {
            module.pop();
            names = rest;
        }
        module.extend_from_slice(names);
        Some(module)
    }
}

fn is_punct(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn is_ident(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if *ident == word)
}

fn without_raw_prefix(name: &proc_macro2::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

fn is_separator(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [first, second, ..] if is_punct(first, ':') && is_punct(second, ':'))
}

/// Keywords after which `::` starts a path.
const KEYWORDS: [&str; 12] =
    ["as", "break", "dyn", "else", "for", "if", "impl", "in", "match", "mut", "return", "while"];

fn is_keyword(word: &proc_macro2::Ident) -> bool {
    KEYWORDS.iter().any(|keyword| word == keyword)
}

/// Tests whether a `::` after these tokens continues a path. Otherwise it starts a global path.
fn continues(before: &[TokenTree]) -> bool {
    match before {
        [.., dash, mark] if is_punct(mark, '>') => !is_punct(dash, '-'),
        [.., TokenTree::Ident(word)] => !is_keyword(word),
        _ => false,
    }
}

/// Tests for `#[cfg(test)]` and `#[cfg(all(test, ..))]`.
fn is_test(attribute: &Group) -> bool {
    let text = attribute.stream().to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}
