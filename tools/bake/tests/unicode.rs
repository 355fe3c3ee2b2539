//! Names in Unicode: one form for equal text.

use crate::sources::folder::{manifest, source};
use crate::{image, names};
use hitmask_bake::{Bake, BakeFault};
use hitmask_scenes::Folder;

/// "café" with the accent as a character of its own, as some systems store it, and composed.
const DECOMPOSED: &str = "cafe\u{301}";
const COMPOSED: &str = "caf\u{e9}";

#[test]
fn names_of_files_are_composed_and_patterns_match_either_form() {
    let folder = Folder::new("unicode");
    image(&folder, &format!("{DECOMPOSED}/{DECOMPOSED}_1.png"), 3);
    image(&folder, "\u{6575}/\u{8239}.png", 4);
    let name = format!("{COMPOSED}/{COMPOSED}_1");
    let all = Bake::new().sprites(folder.root()).unwrap();
    assert_eq!(names(&all), [name.clone(), "\u{6575}/\u{8239}".to_owned()]);
    for form in [DECOMPOSED, COMPOSED] {
        let pattern = folder.path(&format!("**/{form}_?.png"));
        assert_eq!(names(&Bake::new().sprites(pattern).unwrap()), [name.as_str()]);
        for files in [format!("{form}/*.png"), format!("{form}/{form}_1.png")] {
            let text = format!("[[source]]\nfiles = '{files}'\n");
            assert_eq!(names(&manifest(&folder, text).unwrap()), [name.as_str()]);
        }
        let named = source(&folder, "*/*_1.png", &format!("name = \"{form}\""));
        assert_eq!(names(&named.unwrap()), [COMPOSED]);
    }
}

#[test]
fn names_that_differ_only_in_form_are_one_name() {
    let folder = Folder::new("unicode-twice");
    image(&folder, &format!("{DECOMPOSED}.png"), 3);
    image(&folder, &format!("{COMPOSED}.png"), 4);
    // Some systems treat both as one file.
    if std::fs::read_dir(folder.root()).unwrap().count() == 2 {
        let bake = Bake::new().sprites(folder.root()).unwrap();
        let error = bake.to_bytes().unwrap_err();
        let found = (&error.fault, error.place.sprite.as_deref());
        assert_eq!(found, (&BakeFault::SameName, Some(COMPOSED)));
    }
}
