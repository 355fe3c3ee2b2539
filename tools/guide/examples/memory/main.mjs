// Poses of a compact atlas are drawn when they are first shown, or ahead.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
world.add({ sprite: "rock" });
console.log(`${world.poseStats().poses} pose is drawn`);
// One collider for each angle that will be shown. In a game: some of them in each frame.
const wave = Array.from({ length: 64 }, (_, i) => ({ sprite: "rock", angle: (2 * Math.PI * i) / 64 }));
const drawn = world.drawAhead(wave, { bytes: 1e6 });
console.log(`${drawn} of ${wave.length} are ready`);
const { poses, bytes } = world.poseStats();
console.log(`${poses} poses take ${bytes} bytes`);
