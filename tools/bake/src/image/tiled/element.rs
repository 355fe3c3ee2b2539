//! The elements of a Tiled file, independent of XML or JSON.
//!
//! Used by all files of this folder. `xml` and `json` make elements, `object` and `tileset` read them.

use crate::error::{BakeError, BakeFault};
use crate::read_file::beside;
use crate::text::Text;
use std::path::PathBuf;

/// The name of the attribute that has the text inside an element: tile data, and long properties.
pub(crate) const TEXT: &str = "#text";

/// An XML element, or a JSON object in the form of the XML element that means the same.
#[derive(Debug)]
pub(crate) struct Element {
    /// Position in the text, in bytes.
    pub(crate) at: usize,
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Self>,
}

impl Element {
    /// Returns an element without attributes and children.
    pub(super) fn leaf(name: &str, at: usize) -> Self {
        Self { at, name: name.to_owned(), attributes: Vec::new(), children: Vec::new() }
    }

    /// Returns the children of a name.
    pub(crate) fn named<'e>(&'e self, name: &str) -> impl Iterator<Item = &'e Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the custom properties, also those of a class by `name.member`, with their values as text. A
    /// list is JSON without blanks.
    pub(crate) fn properties(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for property in self.named("properties").flat_map(|list| list.named("property")) {
            let name = property.attribute("name").unwrap_or_default();
            let members = property.properties();
            if members.is_empty() {
                let is_list = property.named("item").next().is_some()
                    || property.is_of("list") && property.attribute("value").is_none();
                let value = if is_list {
                    property.json()
                } else {
                    property.value().unwrap_or_default().into()
                };
                found.push((name.to_owned(), value));
            }
            let member = |(key, value)| (format!("{name}.{key}"), value);
            found.extend(members.into_iter().map(member));
        }
        found
    }

    fn is_of(&self, kind: &str) -> bool {
        self.attribute("type") == Some(kind)
    }

    fn value(&self) -> Option<&str> {
        self.attribute("value").or_else(|| self.attribute(TEXT))
    }

    /// Returns the value of a property or of an item of a list as JSON.
    fn json(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let value = self.value().unwrap_or_default();
        if self.is_of("list") {
            let items: Vec<String> = self.named("item").map(Self::json).collect();
            format!("[{}]", items.join(","))
        } else if self.is_of("class") {
            let members = self.named("properties").flat_map(|list| list.named("property"));
            let member = |it: &Self| {
                format!("{}:{}", quoted(it.attribute("name").unwrap_or_default()), it.json())
            };
            format!("{{{}}}", members.map(member).collect::<Vec<_>>().join(","))
        } else if ["int", "float", "bool", "object"].iter().any(|kind| self.is_of(kind))
            && serde_json::from_str::<serde::de::IgnoredAny>(value).is_ok()
        {
            value.to_owned()
        } else {
            quoted(value)
        }
    }

    /// Returns the class, which some versions of Tiled call the type.
    pub(crate) fn class(&self) -> Option<&str> {
        let named = self.attribute("class").or_else(|| self.attribute("type"));
        named.filter(|class| !class.is_empty())
    }

    /// Returns the text of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// Names of the attributes and children of an element that are read, or that change no pixel.
pub(super) struct Known {
    pub(super) attributes: &'static [&'static str],
    pub(super) children: &'static [&'static str],
}

/// Readers of elements, whose errors point into the text.
impl Text {
    /// Returns the number of an attribute, if the element has the attribute.
    pub(crate) fn number(&self, element: &Element, name: &str) -> Result<Option<f64>, BakeError> {
        match element.attribute(name).map(|text| (text, text.trim().parse::<f64>())) {
            None => Ok(None),
            Some((_, Ok(number))) if number.is_finite() => Ok(Some(number)),
            Some((text, _)) => {
                Err(self.malformed(element.at, format!("{name} is not a number: {text:?}")))
            }
        }
    }

    /// Returns the numbers of two attributes, or 0 for one that the element does not have.
    pub(crate) fn pair(&self, element: &Element, names: [&str; 2]) -> Result<[f64; 2], BakeError> {
        let [first, second] = names.map(|name| self.number(element, name));
        Ok([first?.unwrap_or(0.0), second?.unwrap_or(0.0)])
    }

    /// Returns the path of the file that an element names, relative to the file of this text, if it is there.
    pub(crate) fn beside(
        &self,
        element: &Element,
        (kind, named): (&str, &str),
        help: &'static str,
    ) -> Result<PathBuf, BakeError> {
        beside(&self.path, named).ok_or_else(|| {
            let cause = format!("there is no {kind} {named:?}");
            self.error(BakeFault::NotFound, element.at, cause, help)
        })
    }

    /// Returns the only child of this name, if there is one.
    pub(crate) fn child<'e>(
        &self,
        element: &'e Element,
        name: &str,
    ) -> Result<Option<&'e Element>, BakeError> {
        let mut named = element.children.iter().filter(|child| child.name == name);
        let first = named.next();
        match named.next() {
            Some(second) => {
                let cause = format!("{} has a second {name}", element.name);
                Err(self.refused(second.at, cause, "keep one of them"))
            }
            None => Ok(first),
        }
    }

    /// Refuses an element with attributes or children that are not known.
    pub(super) fn check(&self, element: &Element, known: &Known) -> Result<(), BakeError> {
        const REMEDY: &str = "remove it, or save the file in the format of Tiled 1.12";
        let name = &element.name;
        for (attribute, text) in &element.attributes {
            if !known.attributes.contains(&attribute.as_str()) {
                let cause = format!("{name} has the unknown attribute {attribute}={text:?}");
                return Err(self.refused(element.at, cause, REMEDY));
            }
        }
        for child in &element.children {
            if !known.children.contains(&child.name.as_str()) {
                let cause = format!("{name} has the unknown content {:?}", child.name);
                return Err(self.refused(child.at, cause, REMEDY));
            }
        }
        Ok(())
    }
}
