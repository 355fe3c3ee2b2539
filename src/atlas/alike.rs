//! The name most like a misspelt one, for the messages of every tool and language.

/// Returns the name that is most like `name`, to suggest it where `name` does not exist. `None` if more
/// than a third of the letters of each differ. Case and folders in front are ignored.
///
/// Costs about 1 us for each name, so ask it only for a message.
///
/// ```
/// let names = ["enemies/saucer", "rock", "ship"];
/// assert_eq!(hitmask::baking::alike("shpi", names), Some("ship"));
/// assert_eq!(hitmask::baking::alike("zebra", names), None);
/// ```
pub fn alike<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let file = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let name = name.to_lowercase();
    let few = |from: &str, to: &str, more: usize| {
        let (changes, length) = (distance(from, to) + more, to.chars().count());
        (changes <= 1 + length / 3 && changes < length).then_some(changes)
    };
    let least = |other: &&str| {
        let other = other.to_lowercase();
        // Another folder counts as one change.
        [few(&name, &other, 0), few(&file(&name), &file(&other), 1)].into_iter().flatten().min()
    };
    let found = names.into_iter().filter_map(|other| Some((least(&other)?, other)));
    found.min().map(|(_, other)| other)
}

/// Returns the number of letters to change, to add or to remove.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in to.chars().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.pop().unwrap_or_default()
}
