// 5,000 sprites of Phaser that drift and turn. Those that touch are lit. Dropped PNG files become
// sprites too.
import { load } from "./hitmask/index.js";
import { PhaserHitmask } from "./hitmask/phaser.js";

const [WIDTH, HEIGHT] = [1280, 720];
const COUNT = 5000;
const LIT = 0xffb060;
/** Dropped images are at most this wide and high, in pixels. */
const MAX_SIDE = 96;
/** Radius around the pointer in which masks are shown, in pixels. */
const LENS = 90;

const element = (id) => document.getElementById(id);
/** What a test of this page reads. */
const state = { scene: null, frames: 0, touching: 0, lit: 0, picked: null, clicks: 0, dropped: 0, script: 0 };
window.page = state;

const hitmask = await load({ bake: true });

class Crowd extends Phaser.Scene {
  create() {
    state.scene = this;
    this.random = new Phaser.Math.RandomDataGenerator(["hitmask"]);
    this.keys = ["star", "arrow", "ring"];
    this.textures.addCanvas("star", star(15));
    this.textures.addCanvas("arrow", arrow(16, 10));
    this.textures.addCanvas("ring", ring(17));
    this.movers = [];
    for (let i = 0; i < COUNT; i++) this.spawn(this.keys[i % 3]);
    this.lens = this.add.graphics().setDepth(1);
    this.mark = this.add.circle(0, 0, 14).setStrokeStyle(2, 0xffffff).setDepth(2).setVisible(false);
    this.attachAll();
    this.input.on("pointerdown", ({ worldX, worldY }) => this.pick(worldX, worldY));
    receiveFiles((file) => this.drop(file));
  }

  spawn(key) {
    const random = this.random;
    const sprite = this.add.image(random.between(0, WIDTH), random.between(0, HEIGHT), key);
    sprite.rotation = random.realInRange(0, 2 * Math.PI);
    sprite.flipX = random.frac() < 0.5;
    const speed = { x: random.realInRange(-40, 40), y: random.realInRange(-40, 40), turn: random.realInRange(-1, 1) };
    this.movers.push({ sprite, speed });
  }

  /** Bakes all textures and gives each sprite its collider. */
  attachAll() {
    this.hits?.dispose();
    this.hits = new PhaserHitmask(this, hitmask, { textures: this.keys, angles: 64, autoUpdate: false });
    for (const { sprite } of this.movers) this.hits.attach(sprite);
  }

  update(_time, delta) {
    const seconds = Math.min(delta, 50) / 1000;
    for (const { sprite, speed } of this.movers) {
      sprite.x += speed.x * seconds;
      sprite.y += speed.y * seconds;
      sprite.rotation += speed.turn * seconds;
      if ((sprite.x < 0 && speed.x < 0) || (sprite.x > WIDTH && speed.x > 0)) speed.x = -speed.x;
      if ((sprite.y < 0 && speed.y < 0) || (sprite.y > HEIGHT && speed.y > 0)) speed.y = -speed.y;
      sprite.isTouching = false;
    }
    const begin = performance.now();
    this.hits.update();
    const pairs = this.hits.world.touchingArray();
    for (let i = 0; i < pairs.length; i++) this.hits.object(pairs[i]).isTouching = true;
    state.script = performance.now() - begin;
    state.lit = 0;
    for (const { sprite } of this.movers) {
      sprite.setTint(sprite.isTouching ? LIT : 0x8899bb);
      if (sprite.isTouching) state.lit++;
    }
    state.touching = pairs.length / 2;
    state.frames++;
    this.showMasks();
    if (state.picked) this.mark.setPosition(state.picked.x, state.picked.y);
    if (state.frames % 10 === 0) {
      const fps = this.game.loop.actualFps.toFixed(0);
      element("figures").textContent =
        `${this.movers.length} sprites, ${state.touching} pairs touch, ${state.script.toFixed(1)} ms for collisions, ${fps} frames a second`;
    }
  }

  /** Draws the masks around the pointer. */
  showMasks() {
    this.lens.clear();
    if (!element("masks").checked) return;
    const { worldX, worldY } = this.input.activePointer;
    const { world } = this.hits;
    this.lens.lineStyle(1, 0xffffff, 0.4).strokeCircle(worldX, worldY, LENS);
    this.lens.fillStyle(0x40ff90, 0.8);
    for (const id of world.queryCircle(worldX, worldY, LENS)) {
      const rects = world.rects(id);
      for (let i = 0; i < rects.length; i += 4) {
        this.lens.fillRect(rects[i], rects[i + 1], rects[i + 2] - rects[i], rects[i + 3] - rects[i + 1]);
      }
    }
  }

  pick(x, y) {
    state.clicks++;
    state.picked = this.hits.pick(x, y, { radius: 4 });
    this.mark.setVisible(state.picked !== null);
    element("picked").textContent = state.picked
      ? `picked: ${state.picked.texture.key}, touching ${this.hits.touching(state.picked).length}`
      : "nothing there";
  }

  /** Adds 10 sprites of a dropped image. */
  async drop(file) {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const key = `${file.name} ${++state.dropped}`;
    this.textures.addCanvas(key, canvas);
    this.keys.push(key);
    for (let i = 0; i < 10; i++) this.spawn(key);
    this.attachAll();
  }
}

/** Calls a function for each PNG file that is dropped or chosen, one after the other. */
function receiveFiles(receive) {
  const zone = element("drop");
  const all = async (files) => {
    element("error").textContent = "";
    for (const file of files) {
      try {
        await receive(file);
      } catch (error) {
        element("error").textContent = `${file.name}: ${error.message}`;
      }
    }
  };
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    all([...event.dataTransfer.files]);
  });
  element("files").addEventListener("change", ({ target }) => all([...target.files]));
}

function canvasOf(width, height, draw) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context.fillStyle = context.strokeStyle = "#fff";
  draw(context);
  return canvas;
}

function star(side) {
  return canvasOf(side, side, (context) => {
    context.translate(side / 2, side / 2);
    context.beginPath();
    for (let i = 0; i < 10; i++) {
      const reach = i % 2 ? side / 5 : side / 2;
      context.lineTo(reach * Math.sin((i * Math.PI) / 5), -reach * Math.cos((i * Math.PI) / 5));
    }
    context.fill();
  });
}

function arrow(width, height) {
  return canvasOf(width, height, (context) => {
    context.beginPath();
    for (const [x, y] of [[0, 0], [width, height / 2], [0, height], [width / 4, height / 2]]) context.lineTo(x, y);
    context.fill();
  });
}

function ring(side) {
  return canvasOf(side, side, (context) => {
    context.lineWidth = 3;
    context.beginPath();
    context.arc(side / 2, side / 2, side / 2 - 2, 0, 2 * Math.PI);
    context.stroke();
  });
}

new Phaser.Game({
  type: Phaser.AUTO,
  parent: "game",
  width: WIDTH,
  height: HEIGHT,
  backgroundColor: "#14161c",
  pixelArt: true,
  banner: false,
  audio: { noAudio: true },
  scene: Crowd,
});
