// Compiled by `npm run types`, never run: the adapters with the types of the real engines.
import { load } from "hitmask/inline";
import { PhaserHitmask, pixelPerfect as byPixels } from "hitmask/phaser";
import { PixiHitmask, pixelPerfect } from "hitmask/pixi";
import * as Phaser from "phaser";
import { Application, Sprite, type Texture } from "pixi.js";

const hitmask = await load({ bake: true });

export class Game extends Phaser.Scene {
  create() {
    const hits = new PhaserHitmask<Phaser.GameObjects.Sprite>(this, hitmask, { textures: ["ship"], angles: 64 });
    const ship: Phaser.GameObjects.Sprite = hits.attach(this.add.sprite(1, 2, "ship"), { layers: 2 });
    ship.on("hitmask:began", (other: Phaser.GameObjects.Sprite) => hits.contact(ship, other)?.area.toFixed());
    const under: Phaser.GameObjects.Sprite | null = hits.pick(3, 4);
    hits.debug(this.add.graphics());
    hits.detach(under ?? byPixels(ship, { alpha: 1 }));
  }
}

declare const texture: Texture;
const app = new Application();
const hits = new PixiHitmask<Sprite>(hitmask, { textures: { ship: texture }, ticker: app.ticker, root: app.stage });
const sprite: Sprite = hits.attach(new Sprite(texture), { sensor: true });
sprite.on("hitmask:began", (other) => hits.touching(other).length);
pixelPerfect(app.stage).eventMode = "static";
// Without type arguments, the objects of each engine.
declare const scene: Phaser.Scene;
const phaser = new PhaserHitmask(scene, hitmask, { textures: ["ship"], collideHidden: false });
const image: Phaser.GameObjects.Image | null = phaser.pick(1, 2, { radius: 3 });
// @ts-expect-error No method of images.
image?.flyAway();
const pixi = new PixiHitmask(hitmask, { textures: [texture] });
const shown: Sprite | null = pixi.pick(1, 2);
// @ts-expect-error No method of sprites.
shown?.flyAway();
// @ts-expect-error The sprite itself says where it is.
hits.attach(sprite, { x: 1 });
