//! Image files: finding and decoding them. The only folder that names image and glob.

mod decode;
mod find;

pub(super) use decode::decode;
pub(super) use find::find;
