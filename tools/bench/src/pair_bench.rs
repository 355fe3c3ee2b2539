//! The queries of the narrow phase, each in every implementation that the benches compare.

use crate::{Disagreement, Loop, PairScene, PairSides, Question, Strips};
use hitmask::reference::Canvas;
use hitmask::{Batch, Certainty, Contact, Point, PosePair, Rect, Simd};

/// Number of pairs that the naive approach draws, which takes about 1,000 times as long.
const DRAWN: usize = 240;

/// Output buffers of a batch, allocated before the timing.
#[derive(Default)]
struct Answers {
    touches: Vec<bool>,
    areas: Vec<u64>,
    contacts: Vec<Option<Contact>>,
    certain: Vec<Certainty>,
}

/// One query in each implementation. Answers are mapped to a number, so that they can be compared.
pub struct PairQuery {
    /// Its name in tables.
    pub name: &'static str,
    batch: fn(&mut Batch<'_>, &[PosePair], &mut Answers),
    answer: fn(&Answers, usize) -> u64,
    single: fn(&PairSides<'_>, &Question) -> u64,
    scalar: fn(&Strips, &Strips, &Question) -> u64,
    naive: fn(&PairSides<'_>, &mut Canvas, &Question) -> u64,
    prepared: fn(&PairSides<'_>, &Question) -> u64,
}

/// The queries that `hitmask bench narrow` measures: touches, area and contact.
///
/// Statics, because the functions of a constant are compiled with the crate that names it, as little optimised as it.
pub static PAIR_QUERIES: [PairQuery; 3] = [
    PairQuery {
        name: "touches",
        batch: |batch, pairs, answers| {
            answers.touches.resize(pairs.len(), false);
            batch.touches(pairs, &mut answers.touches);
        },
        answer: |answers, i| u64::from(answers.touches[i]),
        single: |s, q| u64::from(s.masks[q.a].touches(s.masks[q.b], q.offset)),
        scalar: |a, b, q| u64::from(a.touches(b, q.offset)),
        naive: |s, canvas, q| u64::from(s.drawn_point(canvas, q).is_some()),
        prepared: |s, q| u64::from(s.images[q.a].touches(&s.images[q.b], q.offset)),
    },
    PairQuery {
        name: "area",
        batch: |batch, pairs, answers| {
            answers.areas.resize(pairs.len(), 0);
            batch.overlap_area(pairs, &mut answers.areas);
        },
        answer: |answers, i| answers.areas[i],
        single: |s, q| s.masks[q.a].overlap_area(s.masks[q.b], q.offset),
        scalar: |a, b, q| a.area(b, q.offset),
        naive: |s, canvas, q| s.drawn_contact(canvas, q).map_or(0, |c| c.area),
        prepared: |s, q| s.images[q.a].overlap_area(&s.images[q.b], q.offset),
    },
    // Batches ask the pairs one by one.
    PairQuery {
        name: "contact",
        batch: |batch, pairs, answers| {
            answers.contacts.resize(pairs.len(), None);
            batch.contact(pairs, &mut answers.contacts);
        },
        answer: |answers, i| contact(answers.contacts[i].map(|c| (c.rect, c.area, c.point))),
        single: |s, q| {
            let found = s.masks[q.a].contact(s.masks[q.b], q.offset);
            contact(found.map(|c| (c.rect, c.area, c.point)))
        },
        scalar: |a, b, q| {
            let found = a.rect(b, q.offset).zip(a.top(b, q.offset));
            contact(found.map(|(rect, point)| (rect, a.area(b, q.offset), point)))
        },
        naive: |s, canvas, q| {
            contact(s.drawn_contact(canvas, q).map(|c| (c.rect, c.area, c.point)))
        },
        prepared: |s, q| contact(s.images[q.a].contact(&s.images[q.b], q.offset)),
    },
];

/// The coarse levels alone. The other implementations are exact.
pub static COARSE_QUERY: PairQuery = PairQuery {
    name: "coarse",
    batch: |batch, pairs, answers| {
        answers.certain.resize(pairs.len(), Certainty::Maybe);
        batch.coarse(pairs, &mut answers.certain);
    },
    answer: |answers, i| answers.certain[i] as u64,
    single: |s, q| s.masks[q.a].coarse(s.masks[q.b], q.offset) as u64,
    scalar: |a, b, q| certain(a.touches(b, q.offset)),
    naive: |s, canvas, q| certain(s.drawn_point(canvas, q).is_some()),
    prepared: |s, q| certain(s.images[q.a].touches(&s.images[q.b], q.offset)),
};

/// Maps an exact answer to the number of a certain one.
const fn certain(touches: bool) -> u64 {
    (if touches { Certainty::Yes } else { Certainty::No }) as u64
}

/// Maps a contact to a number, and `None` to 0. Distinct for most contacts.
fn contact(found: Option<(Rect, u64, Point)>) -> u64 {
    found.map_or(0, |(rect, area, p)| {
        let point = 1 + (u64::from(p.y.unsigned_abs()) << 32 | u64::from(p.x.unsigned_abs()));
        point ^ rect.area().rotate_left(13) ^ area.rotate_left(47)
    })
}

/// A query over the pairs of a scene. Its loops give the same answers.
pub struct PairBench<'a> {
    scene: &'a PairScene,
    query: &'a PairQuery,
    sides: PairSides<'a>,
    expected: Vec<u64>,
}

impl<'a> PairBench<'a> {
    /// Compares all implementations but batches.
    ///
    /// # Errors
    /// [`Disagreement`] if an answer differs. A coarse answer may be uncertain.
    pub fn new(scene: &'a PairScene, query: &'a PairQuery) -> Result<Self, Disagreement> {
        let (sides, mut canvas) = (scene.sides(), Canvas::default());
        let expected: Vec<u64> =
            scene.questions.iter().map(|q| (query.single)(&sides, q)).collect();
        let is_coarse = query.name == COARSE_QUERY.name;
        let agree = scene.questions.iter().zip(&expected).enumerate().all(|(i, (q, &answer))| {
            let exact = (query.scalar)(&scene.strips[q.a], &scene.strips[q.b], q);
            (exact == answer || is_coarse && answer == Certainty::Maybe as u64)
                && (query.prepared)(&sides, q) == exact
                && (i >= DRAWN || (query.naive)(&sides, &mut canvas, q) == exact)
        });
        Disagreement::unless(agree, || format!("{} at {} px", query.name, scene.name))?;
        Ok(Self { scene, query, sides, expected })
    }

    /// Returns the loop of a batch with an instruction set.
    ///
    /// # Errors
    /// [`Disagreement`] if an answer differs.
    pub fn batch(&self, simd: Simd) -> Result<Loop<'a>, Disagreement> {
        let (scene, query) = (self.scene, self.query);
        let mut batch = scene.atlas().batch().with_simd(simd);
        let mut answers = Answers::default();
        (query.batch)(&mut batch, &scene.pairs, &mut answers);
        let agree =
            (0..).zip(&self.expected).all(|(i, &wanted)| (query.answer)(&answers, i) == wanted);
        Disagreement::unless(agree, || {
            format!("{} at {} px with {}", query.name, scene.name, simd.name())
        })?;
        Ok(Loop::new(simd.name(), scene.pairs.len(), move || {
            (query.batch)(&mut batch, &scene.pairs, std::hint::black_box(&mut answers));
        }))
    }

    /// Returns the loops of the other implementations: one call per pair on masks of the atlas that are looked up
    /// once per sprite; a scalar loop over strips; images drawn beforehand, one byte per pixel; and both sprites
    /// drawn from their sources, with drawings and tight boxes prepared before, for the first 240 pairs.
    #[must_use]
    pub fn others(&self) -> [Loop<'_>; 4] {
        let Self { scene, query, sides, .. } = self;
        let (questions, strips) = (&scene.questions, &scene.strips);
        let some = &questions[..questions.len().min(DRAWN)];
        let mut canvas = Canvas::default();
        [
            each("single", questions, |q| (query.single)(sides, q)),
            each("scalar", questions, |q| (query.scalar)(&strips[q.a], &strips[q.b], q)),
            each("prepared", questions, |q| (query.prepared)(sides, q)),
            Loop::new("raster", some.len(), move || {
                some.iter().map(|q| (query.naive)(sides, &mut canvas, q)).sum::<u64>()
            }),
        ]
    }
}

/// Returns a loop that asks one question after the other.
fn each<'a>(
    name: &'static str,
    questions: &'a [Question],
    ask: impl Fn(&Question) -> u64 + 'a,
) -> Loop<'a> {
    Loop::new(name, questions.len(), move || questions.iter().map(&ask).sum::<u64>())
}
