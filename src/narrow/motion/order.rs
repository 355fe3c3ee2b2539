//! In which order translations and rows are looked at: what is likely to end a search first.

/// 0, -1, 1, -2, 2, ... to `limit` on either side.
pub(super) fn outwards(limit: i64) -> impl Iterator<Item = i64> {
    (0..=limit).flat_map(|size| [-size, size].into_iter().skip(usize::from(size == 0)))
}

/// The blocks of `lanes` rows of translations, without end: the middle one, then one below and one
/// above in turn, each farther away. Of each its first row, and how far its nearest one is from
/// row 0.
#[inline(always)]
pub(super) fn blocks(lanes: i64) -> impl Iterator<Item = (i64, i64)> {
    (0_i64..).map(
        #[inline(always)]
        move |block| {
            let away = (block + 1) / 2 * lanes;
            match block % 2 {
                1 => (away - lanes / 2, away - lanes / 2),
                _ => (-away - lanes / 2, (away + 1 - lanes / 2).max(0)),
            }
        },
    )
}

/// The rows of a that face a row of b in one of `lanes` lanes: in the first, row i of a faces row
/// i + `down` of b, and in each one more. Rows are given as from, and up to.
#[inline(always)]
pub(super) fn facing_rows(rows: [[usize; 2]; 2], down: i64, lanes: usize) -> [i64; 2] {
    let [[a_from, a_to], [b_from, b_to]] = rows.map(|rows| rows.map(|row| row as i64));
    let from = (b_from + 1 - lanes as i64 - down).clamp(a_from, a_to);
    [from, (b_to - down).clamp(from, a_to)]
}

/// The rows `from..to`, at most `most` at a time, from the middle on, where masks are widest: the
/// first of them, and their number.
#[inline(always)]
pub(super) fn from_the_middle(
    [from, to]: [i64; 2],
    most: usize,
) -> impl Iterator<Item = (i64, usize)> {
    let middle = (from + to) / 2;
    let (mut row, mut end) = (middle, to);
    std::iter::from_fn(
        #[inline(always)]
        move || {
            if row == end && end == to && from < middle {
                (row, end) = (from, middle);
            }
            let rows = most.min((end - row) as usize);
            row += rows as i64;
            (rows > 0).then_some((row - rows as i64, rows))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_looked_at_once_the_middle_first() {
        for (from, to) in [(0, 0), (3, 3), (0, 1), (2, 4), (-5, 40), (7, 100)] {
            for most in [1, 3, 16, 200] {
                let parts: Vec<_> = from_the_middle([from, to], most).collect();
                let mut rows: Vec<i64> =
                    parts.iter().flat_map(|&(row, n)| row..row + n as i64).collect();
                assert_eq!(rows.first(), (from < to).then_some(&((from + to) / 2)));
                assert!(parts.iter().all(|&(_, n)| n <= most));
                rows.sort_unstable();
                assert!(rows.into_iter().eq(from..to), "{from}..{to} by {most}");
            }
        }
    }

    #[test]
    fn blocks_lie_side_by_side_each_no_nearer_than_the_one_before() {
        let blocks: Vec<_> = blocks(16).take(9).collect();
        assert_eq!(blocks[..3], [(-8, 0), (8, 8), (-24, 9)]);
        assert!(blocks.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        let mut tops: Vec<i64> = blocks.iter().map(|&(top, _)| top).collect();
        tops.sort_unstable();
        assert!(tops.windows(2).all(|pair| pair[0] + 16 == pair[1]));
    }
}
