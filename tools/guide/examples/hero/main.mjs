// A hero runs, climbs, jumps, drops through ledges, and rides a belt and a lift, by a file of keys.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

/** Adds the level and the hero to a world. */
function enter(world) {
  const { items } = world.addMap("course");
  const find = (name) => items.find((item) => item.name === name);
  const { x, y } = find("start");
  const hero = world.add({ sprite: "hero", x, y });
  // The floor is what the hero stands on.
  return { items, hero, lift: find("lift"), floor: null, tick: 0, speed: 0, ticksInAir: 0, hasJumped: false };
}

/** Moves the hero by one tick. Returns its place. */
function play(world, game, keys, rules) {
  const { hero, lift } = game;
  // The lift goes up and down by 1 px per tick.
  world.moveTo(lift.id, lift.x, lift.y - 80 + Math.abs((game.tick++ % 160) - 80));

  // Sideways first. The belt carries the hero to the left.
  const drift = game.floor?.name === "belt" ? -1 : 0;
  const { x, y } = world.moveAndSlide(hero, 1.5 * (keys.right - keys.left) + drift, 0, rules);

  // Coyote time: a jump still works 6 ticks after the hero has left the ground.
  if (keys.jump && !game.hasJumped && game.ticksInAir <= 6) {
    Object.assign(game, { speed: -5, ticksInAir: 7, floor: null });
  } else if (keys.down && game.floor?.class === "one-way") {
    // A one-way platform raises what is up to `rise` deep in it. What is deeper falls through.
    world.moveTo(hero, x, y + rules.rise + 1);
    game.floor = null;
  }
  game.hasJumped = keys.jump;

  // In the air the hero falls. On the ground 2 px down keep it on a slope.
  game.speed = Math.min(game.speed + 0.25, 6);
  const moved = world.moveAndSlide(hero, 0, game.floor ? 2 : game.speed, rules);
  const below = moved.contacts.find(({ side }) => side === "below");
  game.floor = (below && game.items.find(({ id }) => id === below.collider)) ?? null;
  game.ticksInAir = game.floor ? 0 : game.ticksInAir + 1;
  // On the ground, or at a ceiling.
  if (moved.contacts.length) game.speed = 0;
  world.update();
  return moved;
}

const hitmask = await load();
const world = hitmask.world(hitmask.atlas(await readFile("art.hitmask")));
const game = enter(world);
const rules = { climb: 3, oneWay: 2, rise: 2 };
for (const key of (await readFile("keys.txt", "utf8")).replace(/\s/g, "")) {
  const is = (keys) => keys.includes(key);
  const { x, y } = play(world, game, { left: is("<\\"), right: is(">/"), jump: is("^/\\"), down: is("v") }, rules);
  console.log(`${x} ${y}`);
}
