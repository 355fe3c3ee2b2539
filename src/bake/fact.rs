use super::digest::{Digest, digest};
use super::warnings::{Found, Gone};
use super::{Baked, Report, Warning};
use crate::atlas::Subject;
use std::collections::HashSet;

/// What a bake has found out about one sprite, from that one alone: all that goes into the report,
/// and that a later bake need not find out again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    pub(super) frames: usize,
    /// What is odd about it, but for what only its neighbours tell.
    pub(super) warnings: Vec<Warning>,
    /// What it looks like; none without a solid texel.
    pub(super) look: Option<Digest>,
    /// Pixels in all its poses, nearly.
    pub(super) pixels: u64,
    pub(super) baked: Baked,
    /// What decides the poses of each of its images.
    pub(super) images: Vec<Digest>,
}

impl Fact {
    pub(super) fn new(name: &str, frames: usize, found: Found) -> Self {
        let Found { warnings, look, pixels } = found;
        let baked = Baked { sprite: name.to_owned(), angles: 0, poses: 0, error: 0.0 };
        Self { frames, warnings, look, pixels, baked, images: Vec::new() }
    }

    /// Takes note of how the sprite is posed.
    pub(super) fn posed(&mut self, subject: &Subject) {
        self.baked = Baked::of(subject);
        self.images = subject.origins().map(|origin| digest(&origin)).collect();
    }
}

impl Report {
    /// The report on sprites of these facts, in order of their names, in an atlas of so many bytes.
    pub(super) fn of(facts: &[Fact], bytes: usize) -> Self {
        let mut report = Self { sprites: facts.len(), bytes, ..Self::default() };
        let mut gone = Gone::default();
        let mut seen = HashSet::new();
        for fact in facts {
            let name = &fact.baked.sprite;
            report.warnings.extend(fact.warnings.iter().cloned());
            report.warnings.extend(gone.by(name, fact.look, fact.pixels));
            report.frames += fact.frames;
            report.poses += fact.baked.poses;
            report.shared_frames += fact.images.iter().filter(|&image| !seen.insert(image)).count();
            report.each.push(fact.baked.clone());
        }
        report.largest = gone.largest();
        report
    }
}
