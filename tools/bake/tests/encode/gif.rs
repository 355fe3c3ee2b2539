//! GIF.

/// Returns indices below 128 as data of a frame. Every code has 8 bits, because the table is cleared
/// before codes grow.
pub(crate) fn lzw(indices: &[u8]) -> Vec<u8> {
    let mut codes = Vec::new();
    for part in indices.chunks(100) {
        codes.push(128); // clear
        codes.extend(part);
    }
    codes.push(129); // end
    blocks(7, &codes)
}

/// Returns indices below 4 as data of a frame with codes that stand for several texels.
pub(crate) fn packed_lzw(indices: &[u8]) -> Vec<u8> {
    let (mut bits, mut held, mut bytes) = (0_u32, 0_u32, Vec::new());
    let mut push = |code: u32, width: u32| {
        held |= code << bits;
        bits += width;
        while bits >= 8 {
            bytes.push(held as u8);
            (held, bits) = (held >> 8, bits - 8);
        }
    };
    let (mut table, mut width, mut run) = (Vec::<Vec<u8>>::new(), 3, Vec::new());
    let code_of = |table: &[Vec<u8>], run: &[u8]| match run {
        [index] => Some(u32::from(*index)),
        _ => table.iter().position(|known| known == run).map(|i| i as u32 + 6),
    };
    push(4, width); // clear
    for &index in indices {
        let longer = [&run[..], &[index]].concat();
        if code_of(&table, &longer).is_some() {
            run = longer;
            continue;
        }
        push(code_of(&table, &run).unwrap(), width);
        table.push(longer);
        // A code more than fits is announced by one more bit.
        if table.len() as u32 + 5 >= 1 << width {
            width += 1;
        }
        run = vec![index];
    }
    push(code_of(&table, &run).unwrap(), width);
    if table.len() as u32 + 6 >= 1 << width {
        width += 1;
    }
    push(5, width); // end
    push(0, 7);
    blocks(2, &bytes)
}

/// Returns the rows of an interlaced image in the order in which they are stored.
pub(crate) fn stored_rows(height: u32) -> Vec<u32> {
    [(0, 8), (4, 8), (2, 4), (1, 2)]
        .into_iter()
        .flat_map(|(first, step)| (first..height).step_by(step))
        .collect()
}

/// Returns the data of a frame in blocks, behind the size of its shortest code.
fn blocks(code_bits: u8, data: &[u8]) -> Vec<u8> {
    let block = |part: &[u8]| [&[part.len() as u8], part].concat();
    [vec![code_bits], data.chunks(255).flat_map(block).collect(), vec![0]].concat()
}
