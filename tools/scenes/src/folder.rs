//! A temporary folder for tests that write files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary folder, removed when dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder. `test` becomes a part of its path.
    ///
    /// # Panics
    /// If the system's temporary folder is not writable.
    #[must_use]
    pub fn new(test: &str) -> Self {
        // Two tests may choose the same name.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("hitmask-{test}-{process}-{number}"));
        // Removes the folder of an earlier process with the same id.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.0
    }

    /// Returns the path of the file `name` in the folder.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, creates its parent folders, and returns its path.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
