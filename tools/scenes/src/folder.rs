use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder of a test's own, which goes away with it.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder, of whose path `test` is a part.
    ///
    /// # Panics
    /// Where there is no writing to the system's folder for what is temporary.
    #[must_use]
    pub fn new(test: &str) -> Self {
        // Two tests may choose one name.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("hitmask-{test}-{process}-{number}"));
        // Of a process before, which had the same number.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.0
    }

    /// The path of what is called `name` in it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, with the folders on the way to it, and gives its path.
    ///
    /// # Panics
    /// Where it cannot be written.
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
