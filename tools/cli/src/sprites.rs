//! Sprites and planes by their names, and suggestions for names that do not exist.

use crate::{CliError, describe};
use hitmask::Sprite;

/// Returns the sprite of this name, or an error that suggests a similar name.
pub(crate) fn find<'a>(
    sprites: impl Iterator<Item = Sprite<'a>>,
    name: &str,
) -> Result<Sprite<'a>, CliError> {
    let sprites: Vec<Sprite<'a>> = sprites.collect();
    sprites.iter().find(|sprite| sprite.name() == name).copied().ok_or_else(|| {
        let names = sprites.iter().map(|sprite| sprite.name());
        let help = suggested(names, name, "`hitmask info FILE` lists all names");
        CliError::new(format!("the atlas has no sprite {name:?}"), help)
    })
}

/// Returns the sprite in the plane of this name, or in its first plane.
pub(crate) fn in_plane<'a>(
    sprite: Sprite<'a>,
    plane: Option<&str>,
) -> Result<Sprite<'a>, CliError> {
    let Some(name) = plane else { return Ok(sprite) };
    sprite.plane(name).and_then(|plane| sprite.in_plane(plane)).ok_or_else(|| {
        let cause = format!("sprite {:?} has no plane {name:?}", sprite.name());
        let planes = format!("its planes are: {}", describe::planes(sprite));
        CliError::new(cause, suggested(sprite.planes(), name, &planes))
    })
}

/// Returns `help` behind the name that is most similar to `name`, to catch a wrong folder, case or letter.
pub(crate) fn suggested<'a>(
    names: impl Iterator<Item = &'a str>,
    name: &str,
    help: &str,
) -> String {
    match hitmask::baking::alike(name, names) {
        Some(other) => format!("did you mean {other:?}? {help}"),
        None => help.to_owned(),
    }
}
