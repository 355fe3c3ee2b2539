// Programs that do what is on screen, with the atlas that the page gives.
import { ROOM } from "./crowd.js";
import { ANGLES } from "./pose.js";

/** Programs in JavaScript, Rust and C around what they do with an atlas. */
const script = (body, options = "") => `import { load } from "hitmask";

const hitmask = await load(${options});
const file = await fetch("sprites.hitmask");
const atlas = hitmask.atlas(await file.arrayBuffer());
${body}`;
const rust = (uses, body) => `use hitmask::{${uses}};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::from_vec(std::fs::read("sprites.hitmask")?)?;
    ${body}
    Ok(())
}`;
const c = (variables, body) => `#include "hitmask.h"
#include <stdio.h>

int main(void) { /* Each call returns a status: HM_OK, or see hm_last_error(). */
  hm_atlas *atlas; ${variables}
  if (hm_atlas_open("sprites.hitmask", NULL, &atlas) != HM_OK) return puts(hm_last_error());
  ${body}
  return 0;
}`;

const quoted = JSON.stringify;
const real = (value) => (Number.isInteger(value) ? `${value}.0` : `${value}`);
const radians = (step) => Number(((2 * Math.PI * step) / ANGLES).toFixed(4));

/** Returns a program for two sprites that touch or not. Players are those of scene.js. */
const pair = {
  JavaScript(players) {
    const options = ({ art, x, y, step, scale, flipX, frame }) => [
      `sprite: ${quoted(art.name)}, x: ${x}, y: ${y}`,
      step && `angle: ${radians(step)}`,
      scale !== 1 && `scale: ${scale}`,
      flipX && "flipX: true",
      frame && `frame: ${frame}`,
    ];
    const add = (player) => `world.add({ ${options(player).filter(Boolean).join(", ")} });`;
    return script(`const world = hitmask.world(atlas);
const a = ${add(players[0])}
const b = ${add(players[1])}
world.update();
console.log(world.touching().length, "pair");
const hit = world.overlap(a, b);
if (hit) console.log(hit.point, hit.normal, hit.pushOut);`);
  },
  Rust(players) {
    const collider = ({ x, y, step, scale, flipX, frame }, name) => {
      const placed = `Collider::new(${name}).at([${real(x)}, ${real(y)}])`;
      const calls = [step && `.turned(${radians(step)})`, flipX && ".flipped(hitmask::Flip::X)"].filter(Boolean).join("");
      const fields = [scale !== 1 && `scale: ${real(scale)}, `, frame && `frame: ${frame}, `].filter(Boolean).join("");
      return fields ? `Collider { ${fields}..${placed}${calls} }` : `${placed}${calls}`;
    };
    return rust("Atlas, Collider, World", `let mut world = World::new(atlas);
    let [a, b] = [${players.map(({ art }) => quoted(art.name)).join(", ")}].map(|name| world.atlas().sprite_id(name).expect(name));
    let a = world.insert(${collider(players[0], "a")})?;
    let b = world.insert(${collider(players[1], "b")})?;
    world.update();
    println!("{} pair", world.touching().len());
    if let Some(hit) = world.overlap([a, b]) {
        println!("{:?} {:?} {:?}", hit.contact().point, hit.normal(), hit.push_out());
    }`);
  },
  C(players) {
    const fields = ({ x, y, step, scale, flipX, frame }, name) =>
      Object.entries({ x, y, angle: radians(step), scale: scale === 1 ? 0 : scale, flip_x: flipX ? 1 : 0, frame })
        .filter(([, value]) => value !== 0)
        .map(([field, value]) => `${name}.${field} = ${value}; `)
        .join("");
    const insert = (player, name) => `  ${fields(player, name)}hm_world_insert(world, &${name}, &pair.${name});`;
    return c("hm_world *world; hm_pair pair; hm_overlap hit; hm_collider a = hm_default_collider(), b = a;", `hm_world_create(atlas, &world);
  hm_atlas_sprite(atlas, ${quoted(players[0].art.name)}, &a.sprite); hm_atlas_sprite(atlas, ${quoted(players[1].art.name)}, &b.sprite);
${insert(players[0], "a")}
${insert(players[1], "b")}
  if (hm_world_overlap(world, pair, &hit) == HM_OK)
    printf("hit at %d, %d: way out %d, %d\\n", hit.contact.point.x, hit.contact.point.y, hit.push_out.x, hit.push_out.y);`);
  },
  Python(players) {
    const insert = ({ art, x, y, step, scale, flipX, frame }) => {
      const options = { angle: radians(step), scale: scale === 1 ? 0 : scale, flip_x: flipX ? "True" : 0, frame };
      const given = Object.entries(options).filter(([, value]) => value !== 0);
      return `world.insert(${quoted(art.name)}, (${x}, ${y})${given.map(([key, value]) => `, ${key}=${value}`).join("")})`;
    };
    return `from hitmask import Atlas, World

world = World(Atlas.open("sprites.hitmask"))
a = ${insert(players[0])}
b = ${insert(players[1])}
world.update()
print(len(world.touching()), "pair")
hit = world.overlap(a, b)
if hit:
    print(hit.point, hit.normal, hit.push_out)`;
  },
};

/** Returns a program for the convex pieces of a sprite. */
const pieces = {
  JavaScript: ({ art, frame }, error) => script(`const { pieces } = atlas.shape(${quoted(art.name)}, { maxError: ${error}${frame ? `, frame: ${frame}` : ""} });
for (const corners of pieces) console.log(corners); // convex, about the centre of the image`, "{ bake: true }"),
  Rust: ({ art, frame }, error) => rust("Atlas, Flip", `// With the feature "shapes".
    let sprite = atlas.sprites().find(|sprite| sprite.name() == ${quoted(art.name)}).expect("the sprite");
    let pose = sprite.nearest(0.0, 1.0).expect("a pose");
    let drawn = sprite.draw(${frame}, pose, Flip::NONE).expect("the frame");
    for corners in drawn.mask.shape(${real(error)})?.pieces().pieces {
        println!("{corners:?}"); // convex, from the top left corner of the mask
    }`),
  C: ({ art, frame }, error) => c("hm_sprite_id sprite; hm_mask *mask; hm_shape *shape; hm_paths pieces;\n  hm_shape_options options = hm_default_shape_options();", `options.max_error = ${real(error)}f;
  hm_atlas_sprite(atlas, ${quoted(art.name)}, &sprite);
  hm_atlas_posed_mask(atlas, sprite, ${frame}, 0, 0, 1, 0, 0, &mask, NULL);
  hm_mask_shape(mask, &options, &shape);
  hm_shape_pieces(shape, &pieces, NULL);
  for (size_t i = 0; i < pieces.count; i++) printf("piece of %u corners\\n", pieces.starts[i + 1] - pieces.starts[i]);`),
  Python: ({ art, frame }, error) => `from hitmask import Atlas

atlas = Atlas.open("sprites.hitmask")
mask, corner = atlas[${quoted(art.name)}].posed(${frame || ""})
for corners in mask.shape(${error}).pieces():
    print(corners)  # convex, from the top left corner of the mask`,
};

/** Returns a program for very many sprites, on a square of the density of the page. */
const crowd = {
  JavaScript: (names, count, side) => script(`const world = hitmask.world(atlas);
const names = ${names};
const ids = Float64Array.from({ length: ${grouped(count)} }, (_, i) => world.add({ sprite: names[i % names.length] }));
const places = new Float32Array(3 * ids.length).map((_, i) => (i % 3 < 2 ? ${side} : 6.28) * Math.random());
world.placeMany(ids, places); // x, y and angle of each: in every frame
world.update();
console.log(world.touchingArray().length / 2, "pairs");`),
  Rust: (names, count, side) => rust("Angle, Atlas, Collider, ColliderId, Placement, World", `let mut world = World::new(atlas);
    let sprites = ${names}.map(|name| world.atlas().sprite_id(name).expect(name));
    let ids: Vec<ColliderId> = sprites.into_iter().cycle().take(${grouped(count)}).map(|sprite| world.insert(Collider::new(sprite))).collect::<Result<_, _>>()?;
    let place = |i| Placement { position: [(i * 3701 % ${side}) as f32, (i * 9103 % ${side}) as f32], angle: Angle::radians(i as f32) };
    let places: Vec<Placement> = (0..ids.len()).map(place).collect();
    world.set_placements(&ids, &places)?; // in every frame
    world.update();
    println!("{} pairs", world.touching().len());`),
  C: (names, count, side) => c(`hm_world *world; hm_pairs pairs; hm_collider sprite = hm_default_collider();
  static hm_collider_id ids[${count}]; static hm_placement places[${count}];
  const char *names[] = {${names.slice(1, -1)}};`, `hm_world_create(atlas, &world);
  for (int i = 0; i < ${count}; i++) {
    hm_atlas_sprite(atlas, names[i % (sizeof names / sizeof *names)], &sprite.sprite);
    hm_world_insert(world, &sprite, &ids[i]);
    places[i] = (hm_placement){i * 3701 % ${side}, i * 9103 % ${side}, i};
  }
  hm_world_set_placements(world, ids, places, ${count}); /* in every frame */
  hm_world_update(world);
  hm_world_touching(world, &pairs);
  printf("%zu pairs\\n", pairs.count);`),
  Python: (names, count, side) => `import numpy as np
from hitmask import Atlas, World

world = World(Atlas.open("sprites.hitmask"))
names = ${names}
ids = np.array([world.insert(names[i % len(names)]) for i in range(${grouped(count)})], np.uint64)
xy = np.random.uniform(0, ${side}, (${grouped(count)}, 2)).astype(np.float32)
angle = np.random.uniform(0, 6.28, ${grouped(count)}).astype(np.float32)
world.set_placements(ids, xy, angle)  # in every frame
world.update()
print(len(world.touching()), "pairs")`,
};
/** Returns a number with its thousands apart, as most languages take it. */
const grouped = (count) => count.toLocaleString("en").replaceAll(",", "_");

/**
 * Returns the program in a language for what the page shows.
 *
 * @param {string} language One of LANGUAGES.
 * @param {{ mode: string, players: any[], selected: number, error: number, count: number, names: string[] }} shown
 */
export function program(language, { mode, players, selected, error, count, names }) {
  if (mode === "pieces") return pieces[language](players[selected], error);
  if (mode === "crowd") return crowd[language](`[${names.map(quoted).join(", ")}]`, count, Math.round(Math.sqrt(ROOM * count)));
  return pair[language](players);
}
