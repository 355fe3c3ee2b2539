use std::fmt;

/// Why nothing is written to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputFault {
    /// It leads to a folder.
    Folder,
    /// It leads to a device, a pipe or a socket.
    Special,
    /// It leads to one of the files that are read.
    Needed,
    /// It leads to the atlas that is written, and is to hold its cache.
    Written,
    /// There is an atlas, and a shard is to be written.
    Atlas,
    /// There is a shard, and an atlas is to be written.
    Shard,
    /// There is a file that is neither empty nor an atlas nor a shard.
    Foreign,
}

impl OutputFault {
    /// What is wrong, behind the path.
    pub(in crate::bake) const fn cause(self) -> &'static str {
        match self {
            Self::Folder => "is a folder, and a file is to be written",
            Self::Special => "is no file, but a device, a pipe or a socket",
            Self::Needed => "is one of the files that are read, and would be lost",
            Self::Written => "is the file to be written, and cannot hold its cache too",
            Self::Atlas => "is a whole atlas, and a shard is to be written",
            Self::Shard => "is a shard, and a whole atlas is to be written",
            Self::Foreign => "is there already, and is neither an atlas nor a shard",
        }
    }
}

/// What is wrong, behind the path, and what to do.
impl fmt::Display for OutputFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let advice = match self {
            Self::Folder => "name a file in that folder",
            Self::Special => "choose a file, or a path where nothing is",
            Self::Needed => "choose another path to write to",
            Self::Written => "choose another path for the cache",
            Self::Atlas | Self::Shard | Self::Foreign => "remove it, or choose another path",
        };
        write!(f, "{}; {advice}", self.cause())
    }
}
