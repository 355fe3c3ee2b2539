//! Sources of an atlas: bytes at any alignment, and files.

use crate::baked;
use hitmask::{Atlas, FileError, IoCause};
use hitmask_scenes::Folder;

#[test]
fn bytes_at_any_alignment_open_and_unaligned_ones_are_copied() {
    let bytes = baked();
    for shift in [0, 1, 2, 3, 4, 7, 8, 16, 32, 48, 63] {
        let mut moved = vec![0; bytes.len() + 128];
        let at = (64 - moved.as_ptr().addr() % 64) % 64 + shift;
        moved[at..at + bytes.len()].copy_from_slice(&bytes);
        let moved: &'static [u8] = &moved.leak()[at..at + bytes.len()];
        let atlas = Atlas::from_static(moved).unwrap();
        let is_in_place = atlas.as_bytes().as_ptr() == moved.as_ptr();
        assert_eq!(is_in_place, shift == 0, "{shift} bytes past a multiple of 64");
        assert_eq!(atlas.as_bytes(), bytes);
        atlas.verify().unwrap();
    }
    assert_ne!(Atlas::from_bytes(&bytes).unwrap().as_bytes().as_ptr(), bytes.as_ptr());
    let (start, aligned) = (bytes.as_ptr(), bytes.as_ptr().addr().is_multiple_of(64));
    assert_eq!(Atlas::from_vec(bytes).unwrap().as_bytes().as_ptr() == start, aligned);
}

#[test]
fn files_open_and_unreadable_files_give_the_system_error() {
    let folder = Folder::new("format");
    let path = folder.write("a.hitmask", baked());
    let atlas = Atlas::open(&path).unwrap();
    assert_eq!(atlas.as_bytes(), baked());
    atlas.clone().verify().unwrap();

    let kind = |path: &std::path::Path| match Atlas::open(path).unwrap_err() {
        FileError::Io { cause: IoCause { kind, .. }, path: named } => {
            assert_eq!(named, path);
            kind
        }
        other => panic!("{other}"),
    };
    assert_eq!(kind(&folder.path("missing")), std::io::ErrorKind::NotFound);
    assert_eq!(kind(folder.root()), std::io::ErrorKind::IsADirectory);
    std::fs::write(&path, "just text, and long enough to hold a header if it were one").unwrap();
    assert_eq!(Atlas::open(&path).unwrap_err(), FileError::NotAnAtlas { len: 58 });
}
