// Each kind of object of an engine, in a cell of its own. What the engine draws is the truth about a collider and about
// a pointer at each pixel. `results.kinds` has for each kind, by attach() and by pixelPerfect(): "exact", how many pixels
// are wrong, or the code of the refusal.
import { load } from "/index.js";
import { picture } from "./compare.js";

const [WIDTH, HEIGHT, CELL] = [800, 560, 80];
const results = { kinds: {}, log: [] };
window.results = results;
const hitmask = await load({ bake: true });
/** Where the cell of a kind begins. */
const cellOf = (at) => [CELL * (at % 10), CELL * Math.floor(at / 10)];

function refusal(work) {
  try {
    work();
    return "nothing";
  } catch (error) {
    return error.code ? `${error.code}${error.help ? "" : " without help"}` : error.stack;
  }
}

/** Compares what is drawn in each cell with a function of pixels. */
function compare(canvas, names, isSolid) {
  const copy = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, WIDTH, HEIGHT);
  return names.map((_, at) => {
    const [left, top] = cellOf(at);
    let [drawn, wrong] = [0, 0];
    for (let y = top; y < top + CELL; y++) {
      for (let x = left; x < left + CELL; x++) {
        const isDrawn = data[4 * (y * WIDTH + x) + 3] >= 128;
        if (isDrawn) drawn++;
        if (isDrawn !== isSolid(at, x, y)) wrong++;
      }
    }
    return drawn === 0 ? "nothing drawn" : wrong === 0 ? "exact" : `${wrong} wrong of ${drawn}`;
  });
}

/** Records the kinds: those of `refused` by their code, all others by their pixels. */
function record(canvas, hits, kinds, pointer, isHit) {
  const solid = new Uint8Array(WIDTH * HEIGHT);
  hits.eachBox((x, y, width, height) => {
    for (let row = y; row < y + height; row++) solid.fill(1, row * WIDTH + x, row * WIDTH + x + width);
  });
  const names = kinds.map(({ name }) => name);
  const attached = compare(canvas, names, (_, x, y) => solid[y * WIDTH + x] === 1);
  const clicked = compare(canvas, names, (at, x, y) => isHit(kinds[at].object, x, y));
  kinds.forEach(({ name, refused }, at) => (results.kinds[name] = [refused ?? attached[at], pointer[at] ?? clicked[at]]));
}

/** A canvas from which nothing can be read: it shows an image of another host, without CORS headers. */
async function foreign() {
  const image = new Image();
  image.src = new URL("/test/browser/foreign.png", location.href.replace("127.0.0.1", "localhost"));
  await image.decode();
  const canvas = picture(16, 16);
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas;
}

async function pixi() {
  const pixi = await import("/node_modules/pixi.js/dist/pixi.mjs");
  const { AnimatedSprite, Application, BufferImageSource, Container, EventBoundary, Graphics, ImageSource } = pixi;
  const { MeshRope, NineSliceSprite, Point, Rectangle, RenderTexture, Sprite, Text, Texture, TilingSprite } = pixi;
  const { PixiHitmask, pixelPerfect } = await import("/pixi.js");
  const app = new Application();
  await app.init({ width: WIDTH, height: HEIGHT, backgroundAlpha: 0, preference: "webgl", antialias: false });
  app.stop();
  document.body.append(app.canvas);
  const source = (resource, resolution = 1) => new ImageSource({ resource, resolution, scaleMode: "nearest" });
  const rect = (...numbers) => new Rectangle(...numbers);
  const sheet = source(picture(60, 40));
  const bytes = new Uint8Array(4 * 12 * 8).map((_, at) => (at % 4 === 3 && at % 20 < 8 ? 0 : 255));
  const buffer = new BufferImageSource({ resource: bytes, width: 12, height: 8, scaleMode: "nearest" });
  const trim = rect(6, 3, 12, 20);
  const textures = {
    plain: new Texture({ source: source(picture(20, 16)) }),
    frame: new Texture({ source: sheet, frame: rect(20, 4, 24, 30) }),
    trimmed: new Texture({ source: sheet, frame: rect(20, 4, 12, 20), orig: rect(0, 0, 24, 28), trim }),
    double: new Texture({ source: source(picture(40, 32), 2) }),
    buffer: new Texture({ source: buffer }),
    "changed frame": new Texture({ source: sheet, frame: rect(4, 4, 20, 20), dynamic: true }),
    redrawn: new Texture({ source: source(picture(20, 16)) }),
  };
  for (const rotate of [2, 4, 6, 8, 10, 12, 14]) {
    // Sides of the frame are those in the sheet.
    const [width, height] = rotate % 4 === 2 ? [16, 22] : [22, 16];
    textures[`rotated by ${rotate}`] = new Texture({ source: sheet, frame: rect(24, 4, width, height), orig: rect(0, 0, 22, 16), rotate });
  }
  textures["rotated and trimmed"] =
    new Texture({ source: sheet, frame: rect(24, 4, 20, 12), orig: rect(0, 0, 24, 28), trim, rotate: 2 });
  const root = new Container();
  app.stage.addChild(root);
  const hits = new PixiHitmask(hitmask, { textures, root, scales: [1, 2] });
  const sprites = Object.entries(textures).map(([name, texture]) => ({ name, object: new Sprite({ texture, scale: 2 }) }));
  const { plain, redrawn, "changed frame": changed } = textures;
  const drawn = RenderTexture.create({ width: 20, height: 16, scaleMode: "nearest" });
  app.renderer.render({ container: new Sprite(plain), target: drawn });
  const kinds = [
    ...sprites,
    { name: "animated", object: new AnimatedSprite([textures.frame, plain]) },
    { name: "render texture", object: new Sprite(drawn) },
    { name: "tiling", object: new TilingSprite({ texture: plain, width: 60, height: 60 }) },
    { name: "nine-slice", object: new NineSliceSprite({ texture: plain, width: 60, height: 60 }) },
    { name: "rope", object: new MeshRope({ texture: plain, points: [new Point(5, 20), new Point(60, 30)] }) },
    { name: "graphics", object: new Graphics().circle(30, 30, 20).fill(0xffffff) },
    { name: "text", object: new Text({ text: "ab", style: { fontSize: 40, fill: 0xffffff } }) },
  ];
  kinds[sprites.length].object.gotoAndStop(1);
  const pointer = kinds.map((kind, at) => {
    const [x, y] = cellOf(at);
    kind.object.position.set(x + 8, y + 8);
    kind.object.eventMode = "static";
    root.addChild(kind.object);
    const isRefused = (work) => [refusal(work)].find((code) => code !== "nothing");
    kind.refused = isRefused(() => hits.attach(kind.object));
    return isRefused(() => pixelPerfect(kind.object));
  });
  // After a first look at the pixels. An atlas of the game shows it so, or a bar that fills.
  const boundary = new EventBoundary(app.stage);
  const isHit = (object, x, y) => boundary.hitTest(x + 0.5, y + 0.5) === object;
  hits.update();
  app.render();
  compare(app.canvas, kinds, (at, x, y) => isHit(kinds[at].object, x, y));
  changed.frame.x = 30;
  changed.update();
  redrawn.source.resource.getContext("2d").clearRect(2, 8, 9, 9);
  redrawn.source.update();
  hits.update();
  app.render();
  record(app.canvas, hits, kinds, pointer, isHit);
  // What a container has that cannot be followed keeps the events of the engine.
  const bad = new Texture({ source: source(await foreign()) });
  const box = new Container();
  for (const object of [new Sprite(bad), new Sprite(drawn), new Sprite(), new Text({ text: "ab" })]) box.addChild(object);
  pixelPerfect(box);
  results.log.push(`foreign ${box.children.map((object) => object.containsPoint({ x: 1, y: 1 }))}`);
  results.log.push(`refused ${refusal(() => pixelPerfect(box.children[0]))} ${refusal(() => pixelPerfect(new Sprite()))}`);
  for (const texture of [bad, drawn, Texture.EMPTY]) {
    results.log.push(`textures ${refusal(() => new PixiHitmask(hitmask, { textures: [texture], root }))}`);
  }
  results.log.push(`container ${refusal(() => hits.attach(new Container()))} ${refusal(() => hits.attach(null))}`);
  // Trees: a group, or the one around it, is taken away, or moved to another tree.
  const [one, two] = [0, 4].map((x) => new Sprite({ texture: plain, x: 700 + x, y: 400 }));
  const [outer, group, other] = [new Container(), new Container({ x: 2 }), new Container()];
  root.addChild(one, outer);
  outer.addChild(group);
  group.addChild(two);
  const counts = [];
  one.on("hitmask:began", () => counts.push("began"));
  one.on("hitmask:ended", () => counts.push("ended"));
  for (const sprite of [one, two]) hits.attach(sprite);
  const moves = [
    () => {}, () => outer.removeChild(group), () => outer.addChild(group), () => root.removeChild(outer), () => root.addChild(outer),
    () => other.addChild(group), () => outer.addChild(group), () => (group.x = 90), () => (group.x = 0), () => group.addChild(one),
    () => root.addChild(two), () => (two.x = 750), () => (two.texture = textures.frame), () => (two.x = 702),
  ];
  for (const move of moves) {
    move();
    hits.update();
    counts.push(hits.touching(one).length);
  }
  results.log.push(`tree ${counts}`);
  // One listener alone, after a pool has removed all, and a mask.
  two.removeAllListeners();
  two.on("hitmask:ended", () => counts.push("alone"));
  two.x = 780;
  two.mask = root.addChild(new Graphics().rect(0, 0, 5, 5).fill(0xffffff));
  hits.update();
  hits.detach(two);
  hits.attach(two);
  results.log.push(`${counts.at(-1)}, ${hits.warnings.at(-1)}`);
  // A freed texture is an error at the call, and none in the ticker, which goes on.
  const late = new Texture({ source: source(picture(20, 16)) });
  const ticking = new PixiHitmask(hitmask, { textures: [late], root, ticker: app.ticker });
  root.addChild(ticking.attach(new Sprite(late)));
  late.destroy(true);
  results.log.push(`freed ${refusal(() => ticking.update())}`);
  let ticks = 0;
  app.ticker.add(() => ticks++);
  app.ticker.remove(app.render, app);
  app.start();
  while (ticks < 5) await new Promise((next) => setTimeout(next, 20));
  ticking.dispose();
  results.done = true;
}

async function phaser() {
  const { PhaserHitmask, pixelPerfect } = await import("/phaser.js");
  const bad = await foreign();
  class Kinds extends Phaser.Scene {
    create() {
      const { textures } = this;
      const nearest = (texture) => texture.setFilter(Phaser.Textures.FilterMode.NEAREST);
      for (const [key, ...size] of [["plain", 20, 16], ["redrawn", 20, 16], ["strip", 60, 40]]) nearest(textures.addCanvas(key, picture(...size)));
      const strip = textures.get("strip");
      strip.add("frame", 0, 20, 4, 24, 30);
      strip.add("trimmed", 0, 20, 4, 12, 20).setTrim(24, 28, 6, 3, 12, 20);
      const entry = (change) => ({ frame: { x: 24, y: 4, w: 24, h: 16 }, sourceSize: { w: 24, h: 16 }, ...change });
      const frames = {
        turned: entry({ rotated: true }),
        "turned and trimmed": entry({ rotated: true, trimmed: true, sourceSize: { w: 30, h: 24 }, spriteSourceSize: { x: 4, y: 6, w: 24, h: 16 } }),
        "turned square": entry({ rotated: true, frame: { x: 24, y: 4, w: 20, h: 20 }, sourceSize: { w: 20, h: 20 } }),
      };
      nearest(textures.addAtlas("sheet", picture(60, 40), { frames }));
      const dynamic = textures.addDynamicTexture("dynamic", 32, 32);
      dynamic.fill(0xffffff);
      const hits = new PhaserHitmask(this, hitmask, { textures: ["plain", "redrawn", "strip", "sheet"], scales: [1, 2], autoUpdate: false });
      const image = (name, key, frame, use = () => {}) => {
        const object = this.add.image(0, 0, key, frame).setScale(2);
        use(object);
        return { name, object };
      };
      const kinds = [
        image("plain", "plain"),
        image("flipped", "plain", undefined, (it) => it.setFlip(true, false)),
        image("frame", "strip", "frame"),
        image("trimmed", "strip", "trimmed"),
        // Phaser stretches a turned frame with sides that differ.
        image("rotated", "sheet", "turned", (it) => it.setScale(1)),
        image("rotated and trimmed", "sheet", "turned and trimmed", (it) => it.setScale(1)),
        image("rotated, flipped", "sheet", "turned square", (it) => it.setFlip(true, true)),
        image("crop", "plain", undefined, (it) => it.setCrop(2, 3, 11, 9)),
        image("crop, flipped", "plain", undefined, (it) => it.setFlip(true, true).setCrop(2, 3, 11, 9)),
        image("crop of a trimmed frame", "strip", "trimmed", (it) => it.setCrop(8, 0, 6, 15)),
        image("crop that changes", "plain", undefined, (it) => it.setCrop(2, 3, 4, 9)),
        image("crop that ends", "plain", undefined, (it) => it.setCrop(2, 3, 4, 9)),
        image("redrawn", "redrawn"),
        { name: "sprite in a layer", object: this.add.sprite(0, 0, "plain").setScale(2) },
        { name: "dynamic texture", object: this.add.image(0, 0, "dynamic") },
        { name: "render texture", object: this.add.renderTexture(0, 0, 32, 32).fill(0xffffff) },
        { name: "tiles", object: this.add.tileSprite(0, 0, 60, 60, "plain") },
        { name: "nine-slice", object: this.add.nineslice(0, 0, "plain", undefined, 60, 60, 4, 4, 4, 4) },
        { name: "rope", object: this.add.rope(0, 0, "plain", undefined, 3) },
        { name: "blitter", object: this.add.blitter(0, 0, "plain") },
        { name: "graphics", object: this.add.graphics().fillStyle(0xffffff).fillCircle(0, 0, 20) },
        { name: "rectangle", object: this.add.rectangle(0, 0, 30, 30, 0xffffff) },
        { name: "text", object: this.add.text(-20, -20, "ab", { fontSize: 40 }) },
      ];
      kinds.find(({ name }) => name === "blitter").object.create(0, 0);
      dynamic.render?.();
      kinds.find(({ name }) => name === "render texture").object.render?.();
      const pointer = kinds.map((kind, at) => {
        const [x, y] = cellOf(at);
        kind.object.setPosition(x + 40, y + 40);
        const isRefused = (work) => [refusal(work)].find((code) => code !== "nothing");
        kind.refused = isRefused(() => hits.attach(kind.object));
        return isRefused(() => pixelPerfect(kind.object));
      });
      const named = (name) => kinds.find((kind) => kind.name === name).object;
      this.add.layer(named("sprite in a layer"));
      const isHit = (object, x, y) => this.input.manager.hitTest({ x: x + 0.5, y: y + 0.5 }, [object], this.cameras.main).length > 0;
      hits.update();
      for (const { object } of kinds) if (object.input) isHit(object, object.x + 1, object.y + 1);
      named("crop that changes").setCrop(5, 1, 9, 14);
      named("crop that ends").setCrop();
      const redrawn = textures.get("redrawn");
      redrawn.context.clearRect(2, 8, 9, 9);
      redrawn.refresh();
      hits.update();
      this.game.events.once("postrender", () => {
        const clicks = (object, x, y) => Boolean(object.input) && isHit(object, x, y);
        record(this.game.canvas, hits, kinds, pointer, clicks);
        this.rest(hits);
      });
    }

    rest(hits) {
      // What a container has that cannot be followed keeps the events of the engine, or has none.
      this.textures.addCanvas("bad", picture(8, 8)).source[0].image = bad;
      const objects = [this.make.image({ key: "bad" }, false), this.make.image({ key: "dynamic" }, false), this.make.text({ text: "ab" }, false)];
      const box = this.add.container(0, 0, objects);
      pixelPerfect(box);
      const inside = objects.slice(0, 2).map((object) => object.input.hitAreaCallback(object.input.hitArea, 1, 1, object));
      results.log.push(`foreign ${inside}`, `refused ${refusal(() => pixelPerfect(objects[0]))}`);
      for (const key of ["bad", "dynamic"]) {
        results.log.push(`textures ${refusal(() => new PhaserHitmask(this, hitmask, { textures: [key] }))}`);
      }
      results.log.push(`container ${refusal(() => hits.attach(box))} ${refusal(() => hits.attach(null))}`);
      // Trees: a container is taken away, and one that was never shown.
      const [one, two] = [this.add.image(700, 400, "plain"), this.make.image({ key: "plain", x: 4 }, false)];
      const group = this.add.container(700, 400, [two]);
      for (const object of [one, two]) hits.attach(object);
      const counts = [];
      const steps = [
        () => {}, () => group.removeFromDisplayList(), () => group.addToDisplayList(), () => group.remove(two), () => group.add(two),
        () => this.children.remove(one), () => this.children.add(one),
      ];
      for (const step of steps) {
        step();
        hits.update();
        counts.push(hits.touching(one).length);
      }
      results.log.push(`tree ${counts}`);
      // A removed texture is an error at the call, and none in the scene's events, which go on.
      this.textures.addCanvas("late", picture(20, 16));
      const ticking = new PhaserHitmask(this, hitmask, { textures: ["late"] });
      const late = ticking.attach(this.add.image(0, 0, "late"));
      this.textures.remove("late");
      late.setVisible(false);
      results.log.push(`freed ${refusal(() => ticking.update())}`);
      let ticks = 0;
      this.events.on("update", () => {
        if (++ticks === 5) results.done = true;
      });
    }
  }
  new Phaser.Game({
    type: Phaser.WEBGL, width: WIDTH, height: HEIGHT, antialias: false, transparent: true, banner: false,
    audio: { noAudio: true }, scene: Kinds,
  });
}

await (location.search === "?pixi" ? pixi() : phaser());
