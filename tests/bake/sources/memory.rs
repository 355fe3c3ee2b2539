//! Small files that state huge images: refused before the memory is taken.

use super::folder::{Folder, bake, fails};
use hitmask::BakeError;

/// Writes bits from the lowest on, as lossless WebP stores them.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    fn put(&mut self, value: u32, bits: u32) {
        for bit in 0..bits {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (self.len % 8);
            self.len += 1;
        }
    }
}

/// Returns a lossless WebP of one colour: 34 bytes for any size.
fn webp(side: u32) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(side - 1, 14);
    bits.put(side - 1, 14);
    // Alpha, version 0, no transform, no colour cache, no groups of codes.
    bits.put(1, 1);
    bits.put(0, 6);
    for symbol in [0, 0, 0, 255, 0] {
        // A code of one symbol of 8 bits.
        bits.put(0b1_01, 3);
        bits.put(symbol, 8);
    }
    let data = [&[0x2f], &bits.bytes[..]].concat();
    let mut body = [b"WEBPVP8L", &(data.len() as u32).to_le_bytes()[..], &data].concat();
    body.resize(body.len().next_multiple_of(2), 0);
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

#[test]
fn an_image_whose_decoder_would_take_more_than_a_gibibyte_is_refused() {
    let folder = Folder::new("memory");
    let path = folder.write("a.webp", webp(64));
    assert!(bake(&path).unwrap().to_bytes().is_ok());
    folder.write("a.webp", webp(16_384));
    let error = fails(&folder, bake(&path));
    assert!(matches!(error, BakeError::Unsupported { .. }), "{error}");
    assert!(error.to_string().contains("1073741824"), "{error}");
    assert!(error.help().contains("PNG"), "{}", error.help());
}
