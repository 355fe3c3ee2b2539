//! Data, properties and images of maps in less common forms.

use super::baked;
use super::tiled::{layer, map, write_tiles, written};
use base64::Engine;
use hitmask_bake::{Bake, BakeFault};
use hitmask_scenes::{Folder, map_pixels};

fn area(folder: &Folder, level: &str) -> u64 {
    let atlas = baked(&folder.path(level), Vec::new());
    map_pixels(&atlas, "yard", [64; 2], [8; 2]).count()
}

#[test]
fn data_with_a_wrong_or_missing_checksum_is_refused() {
    let bytes: Vec<u8> = [1_u32; 16].iter().flat_map(|it| it.to_le_bytes()).collect();
    let deflated = miniz_oxide::deflate::compress_to_vec(&bytes, 6);
    let sum = [crc32fast::hash(&bytes), 64].map(u32::to_le_bytes).concat();
    let gzip = [&[31, 139, 8, 0, 0, 0, 0, 0, 0, 3][..], &deflated, &sum].concat();
    for (kind, whole, sum) in [("zlib", crate::encode::zlib(&bytes), 4), ("gzip", gzip, 8)] {
        let folder = Folder::new("checksum");
        write_tiles(&folder);
        let damaged = |cut: usize, flipped: usize| {
            let mut packed = whole[..whole.len() - cut].to_vec();
            if flipped > 0 {
                packed[whole.len() - flipped] ^= 1;
            }
            let data = base64::engine::general_purpose::STANDARD.encode(packed);
            let form = format!("\"base64\" compression=\"{kind}\"");
            let text = map([4, 4], &layer("a", [4, 4], &data).replace("\"csv\"", &form));
            let error = Bake::new().sprites(folder.write("yard.tmx", text)).err();
            error.map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(damaged(0, 0), "");
        for error in [damaged(0, 1), damaged(0, sum), damaged(sum, 0), damaged(1, 0)] {
            assert!(error.contains("checksum"), "{kind}: {error}");
        }
    }
}

#[test]
fn images_of_tilesets_may_be_animated_or_jpeg_and_old_json_has_no_type() {
    let folder = written("set-images", [1, 1], "");
    let mut gif = Vec::new();
    let frame = |solid: u32| {
        let texel = |x, _| image::Rgba([9, 9, 9, if x < solid { 255 } else { 0 }]);
        image::Frame::new(image::RgbaImage::from_fn(32, 8, texel))
    };
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut gif);
    encoder.encode_frames([frame(5), frame(8)]).unwrap();
    drop(encoder);
    folder.write("tiles.gif", gif);
    let mut jpeg = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(32, 8).write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
    let jpeg = jpeg.into_inner();
    folder.write("tiles.jpg", &jpeg);
    for (name, expected) in [("tiles.gif", 40), ("tiles.jpg", 64)] {
        let text = map([1, 1], &layer("a", [1, 1], "1"));
        folder.write("yard.tmx", text.replace("tiles.png", name));
        assert_eq!(area(&folder, "yard.tmx"), expected, "{name}");
    }
    let report = Bake::new().sprites(folder.path("tiles.jpg")).unwrap();
    let report = report.write(folder.path("out.hitmask")).unwrap();
    assert!(report.hints[0].to_string().contains("every texel is solid"), "{:?}", report.hints);
    let cut = Bake::new().sprites(folder.write("cut.jpg", &jpeg[..jpeg.len() - 9])).unwrap();
    assert_eq!(cut.to_bytes().unwrap_err().fault, BakeFault::Damaged);
    let json = r#"{"version":1,"orientation":"orthogonal","width":2,"height":1,"tilewidth":8,"tileheight":8,
        "tilesets":[{"firstgid":1,"name":"t","tilewidth":8,"tileheight":8,"image":"tiles.png","imagewidth":32,
        "imageheight":8}],"layers":[{"type":"tilelayer","name":"a","width":2,"height":1,"data":[1,4]}]}"#;
    folder.write("yard.json", json);
    assert_eq!(area(&folder, "yard.json"), 96);
    // A folder gives its images, and names its levels.
    for name in ["tiles.jpg", "tiles.gif", "cut.jpg"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let report = Bake::new().sprites(folder.path("")).unwrap();
    let report = report.write(folder.path("out.hitmask")).unwrap();
    let said: Vec<String> = report.warnings.iter().map(|it| it.to_string()).collect();
    assert!(said.iter().any(|it| it.contains("yard.tmx: the level is not baked")), "{said:?}");
    assert!(said.iter().any(|it| it.contains("yard.json: the level is not baked")), "{said:?}");
}
