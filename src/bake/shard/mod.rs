//! Parts of a bake, for several processes or machines, and how they are put together.
//!
//! A shard is a head, and then an atlas of every n-th sprite in order of their names. The head says
//! which of how many it is, and has a digest of the names and settings of all sprites: so that
//! shards of different bakes are not put together.

mod error;
mod merge;

pub use error::MergeError;
pub use merge::{MergeReport, merge};

use super::BakeError;
use super::binary::{Digest, Reader, Writer, digest, probe};
use super::pipeline::{Job, Plan};
use crate::atlas::SHARD_MAGIC;

/// Bytes of the head: the atlas behind it is on a cache line where the head is.
const HEAD: usize = 128;
/// Bytes of it that the digest at their end seals.
const SEALED: usize = 64;

/// Most shards of one bake.
pub(super) const MOST: u32 = 65_536;

/// Which shard of which bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    /// From 0.
    index: u32,
    count: u32,
    /// Sprites of all shards.
    sprites: u64,
    /// The digest of what the bake is asked for.
    bake: Digest,
}

impl Head {
    fn to_bytes(self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.0.extend(SHARD_MAGIC);
        writer.digest(probe());
        writer.number(u64::from(self.index));
        writer.number(u64::from(self.count));
        writer.number(self.sprites);
        writer.digest(self.bake);
        let seal = digest(writer.0.as_slice());
        writer.digest(seal);
        writer.0.resize(HEAD, 0);
        writer.0
    }

    /// Of the bytes behind the magic and the version.
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let index = u32::try_from(reader.number()?).ok()?;
        let count = u32::try_from(reader.number()?).ok()?;
        let head = Self { index, count, sprites: reader.number()?, bake: reader.digest()? };
        (index < count && count <= MOST).then_some(head)
    }

    /// Sprites of this shard.
    fn own_sprites(&self) -> u64 {
        let (index, count) = (u64::from(self.index), u64::from(self.count));
        self.sprites.saturating_sub(index).div_ceil(count)
    }
}

/// Checks that a bake can be one of `count` shards, from 1.
pub(super) fn check([index, count]: [u32; 2], plan: &Plan) -> Result<(), BakeError> {
    if index == 0 || index > count || count > MOST {
        return Err(BakeError::NoSuchShard { shard: index, of: count });
    }
    if plan.max_bytes.is_some() {
        return Err(BakeError::ShardWithLimit);
    }
    Ok(())
}

/// The jobs of a shard, every `count`-th.
pub(super) fn jobs<'a>(all: Vec<Job<'a>>, [index, count]: [u32; 2]) -> Vec<Job<'a>> {
    all.into_iter().skip(index as usize - 1).step_by(count as usize).collect()
}

/// The head of a shard of `all` jobs.
pub(super) fn head(all: &[Job<'_>], plan: &Plan, [index, count]: [u32; 2]) -> Vec<u8> {
    let asked: Vec<_> = all.iter().map(|job| (&job.source.name, job.settings.bits())).collect();
    let bake = digest(&(asked, plan.resolution.to_bits(), plan.compact));
    Head { index: index - 1, count, sprites: all.len() as u64, bake }.to_bytes()
}
