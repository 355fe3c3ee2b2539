//! Shards: parts of one bake, for several processes or machines.
//!
//! Written by `Bake::write` and combined by [`merge()`]. A shard is a head followed by an atlas of
//! every n-th sprite in order of their names. The head has the shard number, the shard count and a
//! digest of the names and settings of all sprites. The digest prevents a merge of shards from
//! different bakes.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod merge;

pub use merge::{MergeReport, merge};

use super::binary::{Digest, Reader, Writer, digest, probe};
use super::job::Job;
use super::pipeline::Plan;
use super::{BakeError, BakeFault};
use hitmask::baking::SHARD_MAGIC;

/// Length of the head in bytes. A multiple of 64, so the atlas after it keeps its alignment.
const HEAD_BYTES: usize = 128;
/// Bytes of the head that its final digest covers.
const SEALED_BYTES: usize = 64;

/// Largest number of shards of one bake.
pub(super) const MAX_SHARDS: u32 = 65_536;

/// The head of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    /// Shard number, from 0.
    index: u32,
    count: u32,
    /// Number of sprites in all shards.
    sprites: u64,
    /// Digest of the names, settings and options of the bake.
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
        writer.0.resize(HEAD_BYTES, 0);
        writer.0
    }

    /// Reads the fields after magic and version.
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let index = u32::try_from(reader.number()?).ok()?;
        let count = u32::try_from(reader.number()?).ok()?;
        let head = Self { index, count, sprites: reader.number()?, bake: reader.digest()? };
        (index < count && count <= MAX_SHARDS).then_some(head)
    }

    /// Returns the number of sprites in this shard.
    fn own_sprites(&self) -> u64 {
        let (index, count) = (u64::from(self.index), u64::from(self.count));
        self.sprites.saturating_sub(index).div_ceil(count)
    }
}

/// Checks a shard number, from 1, and the options of the bake.
pub(super) fn check([index, count]: [u32; 2], plan: &Plan) -> Result<(), BakeError> {
    if index == 0 || index > count || count > MAX_SHARDS {
        let cause = format!("there is no shard {index} of {count}");
        let help = "number the shards from 1, up to 65536";
        return Err(BakeError::new(BakeFault::Option, cause, help));
    }
    if plan.max_bytes.is_some() {
        let cause = "a shard cannot keep a limit on the atlas size, because the limit depends on all sprites";
        let help = "remove the limit, or bake without shards";
        return Err(BakeError::new(BakeFault::Option, cause, help));
    }
    Ok(())
}

/// Returns the jobs of a shard: every `count`-th.
pub(super) fn jobs<'a>(all: Vec<Job<'a>>, [index, count]: [u32; 2]) -> Vec<Job<'a>> {
    all.into_iter().skip((index as usize).saturating_sub(1)).step_by(count as usize).collect()
}

/// Returns the head of a shard. `all` are the jobs of the whole bake.
pub(super) fn head(all: &[Job<'_>], plan: &Plan, [index, count]: [u32; 2]) -> Vec<u8> {
    let options_per_job: Vec<_> = all.iter().map(|job| (&job.source.name, job.settings)).collect();
    let bake = digest(&(options_per_job, plan.resolution.to_bits(), plan.compact));
    Head { index: index.saturating_sub(1), count, sprites: all.len() as u64, bake }.to_bytes()
}
