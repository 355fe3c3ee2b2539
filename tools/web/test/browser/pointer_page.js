// 200 random sprites, each of a colour of its own: turned, scaled, flipped, trimmed, nested. What is drawn at a pixel is
// the truth about a click on it. `results.clicks` has x, y and the sprite that is drawn there, or -1.
import { picture } from "./compare.js";

const COUNT = 200;
const [WIDTH, HEIGHT] = [780, 580];
const results = { clicks: [], hit: -1 };
window.results = results;

let state = 38;
/** Returns a number from 0 to 1, the same in each run. */
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const between = (from, to) => from + random() * (to - from);
const any = (list) => list[Math.floor(random() * list.length)];
/** Colours from 1 on, which differ by more than rounding. */
const color = (id) => (id + 1) * 1031;

/** Chooses clicks from what is drawn: on a pixel of each sprite, and on one in its bounds that shows another or none. */
function choose(canvas, bounds) {
  const context = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  const shown = (x, y) => {
    const at = 4 * (y * WIDTH + x);
    return data[at + 3] === 0 ? -1 : ((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) / 1031 - 1;
  };
  // A pointer is at a corner of a pixel, so all pixels around show the same.
  const isSure = (x, y) => {
    for (let v = y - 1; v <= y + 1; v++) for (let u = x - 1; u <= x + 1; u++) if (shown(u, v) !== shown(x, y)) return false;
    return true;
  };
  bounds.forEach(([x0, y0, x1, y1], id) => {
    for (const own of [true, false]) {
      for (let attempt = 0; attempt < 400; attempt++) {
        const [x, y] = [Math.floor(between(x0, x1)), Math.floor(between(y0, y1))];
        if (x < 2 || y < 2 || x > WIDTH - 3 || y > HEIGHT - 3 || (shown(x, y) === id) !== own || !isSure(x, y)) continue;
        results.clicks.push([x, y, shown(x, y)]);
        break;
      }
    }
  });
  results.done = true;
}

async function pixi() {
  const { Application, Container, ImageSource, Rectangle, Sprite, Texture } = await import("/node_modules/pixi.js/dist/pixi.mjs");
  const { pixelPerfect } = await import("/pixi.js");
  const app = new Application();
  await app.init({ width: WIDTH, height: HEIGHT, backgroundAlpha: 0, preference: "webgl", antialias: false });
  document.body.append(app.canvas);
  const source = (canvas, resolution = 1) => new ImageSource({ resource: canvas, scaleMode: "nearest", resolution });
  const sheet = source(picture(60, 40));
  const textures = [
    new Texture({ source: source(picture(33, 25)) }),
    new Texture({ source: source(picture(64, 48), 2) }),
    new Texture({
      source: sheet,
      frame: new Rectangle(10, 5, 30, 30),
      orig: new Rectangle(0, 0, 50, 40),
      trim: new Rectangle(12, 4, 30, 30),
    }),
  ];
  const camera = new Container({ x: 20, y: 10, rotation: 0.05, scale: 0.95 });
  app.stage.addChild(camera);
  // The one call, before there is a sprite.
  pixelPerfect(app.stage);
  const groups = [camera];
  for (let i = 0; i < 8; i++) {
    const group = new Container({ x: between(-40, 40), y: between(-40, 40), rotation: between(-0.2, 0.2), scale: between(0.8, 1.2) });
    any(groups).addChild(group);
    groups.push(group);
  }
  const sprites = Array.from({ length: COUNT }, (_, id) => {
    const scale = { x: any([-1, 1]) * between(0.7, 2.5), y: any([-1, 1]) * between(0.7, 2.5) };
    const at = { x: between(0, WIDTH), y: between(0, HEIGHT), rotation: between(0, 7) };
    const skew = { x: between(-0.3, 0.3), y: 0 };
    const sprite = new Sprite({ texture: any(textures), ...at, scale, skew, tint: color(id), label: id });
    sprite.anchor.set(between(0, 1), between(0, 1));
    sprite.eventMode = "static";
    sprite.on("pointerdown", () => (results.hit = id));
    any(groups).addChild(sprite);
    return sprite;
  });
  app.render();
  choose(app.canvas, sprites.map((sprite) => {
    const { minX, minY, maxX, maxY } = sprite.getBounds();
    return [minX, minY, maxX, maxY];
  }));
}

async function phaser() {
  const { pixelPerfect } = await import("/phaser.js");
  class Crowd extends Phaser.Scene {
    create() {
      this.textures.addCanvas("odd", picture(33, 25));
      const sheet = this.textures.addCanvas("sheet", picture(60, 40));
      sheet.add("trimmed", 0, 10, 5, 30, 30).setTrim(50, 40, 12, 4, 30, 30);
      Object.assign(sheet.add("pivot", 0, 0, 0, 60, 40), { customPivot: true, pivotX: 0.25, pivotY: 0.75 });
      for (const key of ["odd", "sheet"]) this.textures.get(key).setFilter(Phaser.Textures.FilterMode.NEAREST);
      const groups = [this.add.container(20, 10)];
      for (let i = 0; i < 8; i++) {
        const group = this.add.container(between(-40, 40), between(-40, 40));
        group.setRotation(between(-0.2, 0.2)).setScale(between(0.8, 1.2));
        any(groups).add(group);
        groups.push(group);
      }
      const sprites = Array.from({ length: COUNT }, (_, id) => {
        const [key, frame] = any([["odd"], ["sheet", "trimmed"], ["sheet", "pivot"]]);
        const sprite = this.add.sprite(between(0, WIDTH), between(0, HEIGHT), key, frame);
        sprite.setRotation(between(0, 7)).setScale(any([-1, 1]) * between(0.7, 2.5), between(0.7, 2.5));
        sprite.setFlip(random() < 0.5, random() < 0.5).setTint(color(id)).setName(id);
        if (frame !== "pivot") sprite.setOrigin(between(0, 1), between(0, 1));
        const group = any([null, ...groups]);
        group?.add(sprite);
        // One call for a container, or for a sprite that is in none.
        if (!group) pixelPerfect(sprite);
        return sprite;
      });
      pixelPerfect(groups[0]);
      this.input.on("gameobjectdown", (_, { name }) => (results.hit = name));
      this.game.events.once("postrender", () => {
        choose(this.game.canvas, sprites.map((sprite) => {
          const { x, y, right, bottom } = sprite.getBounds();
          return [x, y, right, bottom];
        }));
      });
    }
  }
  new Phaser.Game({
    type: Phaser.WEBGL, width: WIDTH, height: HEIGHT, antialias: false, transparent: true, banner: false,
    audio: { noAudio: true }, scene: Crowd,
  });
}

await (location.search === "?pixi" ? pixi() : phaser());
