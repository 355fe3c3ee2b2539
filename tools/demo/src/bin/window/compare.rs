//! Draws sprites by the GPU as a game does, and compares the pixels with the masks.

use crate::window::screen;
use hitmask_demo::fidelity::{Difference, Part, Plan, Quad};
use hitmask_demo::headless::DemoError;
use macroquad::color::{BLACK, WHITE};
use macroquad::math::vec2;
use macroquad::texture::{DrawTextureParams, FilterMode, Texture2D, draw_texture_ex};
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

/// Prints the share of differing pixels of each part. Fails if one differs at baked steps and whole
/// positions, and is no tie.
pub(crate) async fn run() -> Result<(), DemoError> {
    let mut baked = Difference::default();
    for part in Part::ALL {
        let mut plan = Plan::new(part, [screen_width() as i32, screen_height() as i32]);
        let textures: Vec<Texture2D> = plan
            .sources()
            .iter()
            .map(|source| {
                // White: the comparison reads one channel.
                let rgba = source.rgba.chunks(4).flat_map(|texel| [255, 255, 255, texel[3]]);
                let bytes: Vec<u8> = rgba.collect();
                let [width, height] = [source.width, source.height].map(|side| side as u16);
                let texture = Texture2D::from_rgba8(width, height, &bytes);
                texture.set_filter(FilterMode::Nearest);
                texture
            })
            .collect();
        let mut sum = Difference::default();
        for page in 0..plan.pages.len() {
            clear_background(BLACK);
            for sprite in &plan.pages[page] {
                draw(&textures[sprite.source], plan.quad(sprite));
            }
            plan.compare(page, &screen(), &mut sum);
            next_frame().await;
        }
        println!(
            "{}: {} sprites, {} pixels, {} differ ({:.3}%), {} beyond ties, \
             at most {:.5} px from the edge of a texel",
            part.name(),
            sum.draws,
            sum.pixels,
            sum.differing,
            100.0 * sum.share(),
            sum.beyond_ties,
            sum.farthest
        );
        if part == Part::Baked {
            baked = sum;
        }
    }
    match baked.beyond_ties {
        0 => Ok(()),
        pixels => Err(DemoError::new(
            format!(
                "{pixels} pixels of the GPU differ from the masks and are no ties: one is {:.4} px from the edge of a texel",
                baked.farthest
            ),
            "report the GPU and its driver: it does not sample at pixel centres",
        )),
    }
}

fn draw(texture: &Texture2D, quad: Quad) {
    let params = DrawTextureParams {
        dest_size: Some(vec2(quad.size[0], quad.size[1])),
        rotation: quad.rotation,
        flip_x: quad.flip.x,
        flip_y: quad.flip.y,
        pivot: Some(vec2(quad.pivot[0], quad.pivot[1])),
        ..Default::default()
    };
    draw_texture_ex(texture, quad.at[0], quad.at[1], WHITE, params);
}
