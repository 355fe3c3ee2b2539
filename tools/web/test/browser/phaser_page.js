// A scene of sprites that show every way to place one, and two that meet.
import { load } from "/index.js";
import { PhaserHitmask } from "/phaser.js";
import { compare, overlay, picture, step } from "./compare.js";

const hitmask = await load({ bake: true });
const results = { log: [] };
window.results = results;

class Cases extends Phaser.Scene {
  preload() {
    this.textures.addCanvas("odd", picture(13, 9));
    this.textures.addCanvas("even", picture(16, 12));
    const sheet = this.textures.addCanvas("sheet", picture(40, 20));
    sheet.add("left", 0, 0, 0, 20, 20);
    sheet.add("right", 0, 20, 0, 20, 20);
    // A frame of 30 x 26 pixels, of which 20 x 20 are stored.
    sheet.add("trimmed", 0, 10, 0, 20, 20).setTrim(30, 26, 3, 5, 20, 20);
  }

  create() {
    const textures = ["odd", "even", "sheet"];
    this.hits = new PhaserHitmask(this, hitmask, { textures, angles: 64, scales: [1, 2], autoUpdate: false });
    for (const key of textures) this.textures.get(key).setFilter(Phaser.Textures.FilterMode.NEAREST);
    let at = 0;
    const place = (name, key, change = {}, frame = undefined) => {
      // At a whole position, the edges of images of odd size are on pixel centres: at half ones they are between.
      const half = key === "odd" && !change.origin && !/whole|twice/.test(name) ? 0.5 : 0;
      const [x, y] = [40 + 80 * (at % 9) + half, 40 + 70 * Math.floor(at / 9) + half];
      at++;
      const sprite = this.add.sprite(x, y, key, frame);
      sprite.name = name;
      const { origin, ...rest } = change;
      Object.assign(sprite, rest);
      if (origin) sprite.setOrigin(...origin);
      return this.hits.attach(sprite);
    };
    for (const key of ["odd", "even"]) {
      place(`${key}`, key);
      place(`${key} flipX`, key, { flipX: true });
      place(`${key} flipY`, key, { flipY: true });
      place(`${key} flipped both ways`, key, { flipX: true, flipY: true });
      place(`${key} origin 0`, key, { origin: [0, 0] });
      place(`${key} origin 1, 1/4, flipX`, key, { origin: [1, 0.25], flipX: true });
      place(`${key} quarter turn`, key, { rotation: Math.PI / 2 });
      place(`${key} half turn, origin 0`, key, { rotation: Math.PI, origin: [0, 0] });
      place(`${key} turned`, key, { rotation: step(5) });
      place(`${key} turned, flipX`, key, { rotation: step(5), flipX: true });
      place(`${key} turned, flipY, origin`, key, { rotation: step(-9), flipY: true, origin: [0.25, 1] });
      place(`${key} twice as large`, key, { scale: 2 });
      place(`${key} mirrored by its scale`, key, { scaleX: -1 });
      place(`${key} mirrored by both, origin`, key, { scaleX: -2, scaleY: -2, origin: [0, 1] });
      place(`${key} wide`, key, { scaleX: 2.5, scaleY: 1 });
      place(`${key} scale 1.5, turned`, key, { scale: 1.5, rotation: 1 });
    }
    place("odd at a whole position", "odd");
    place("sheet left", "sheet", {}, "left");
    place("sheet right, flipX", "sheet", { flipX: true }, "right");
    place("sheet trimmed", "sheet", {}, "trimmed");
    place("sheet trimmed, flipX, flipY", "sheet", { flipX: true, flipY: true }, "trimmed");
    place("sheet trimmed, turned, origin", "sheet", { rotation: step(7), origin: [0.2, 0.3] }, "trimmed");
    const moved = place("even at a fraction", "even");
    moved.x += 0.3;
    moved.y -= 0.3;
    const inside = place("in a container", "odd", { x: 5, y: -3, rotation: step(3) });
    this.add.container(40 + 80 * ((at - 1) % 9), 40 + 70 * Math.floor((at - 1) / 9), [inside]).rotation = step(4);
    this.hits.update();
    this.game.events.once("postrender", () => {
      results.cases = compare(this.game.canvas, this.hits);
      results.picture = overlay(this.game.canvas, this.hits);
      this.scene.start("meeting");
    });
  }
}

class Meeting extends Phaser.Scene {
  create() {
    const { log } = results;
    const hits = new PhaserHitmask(this, hitmask, { textures: ["odd", "sheet"] });
    const [a, b] = [this.add.sprite(300, 300, "odd"), this.add.sprite(400, 300, "odd")];
    [a.name, b.name] = ["a", "b"];
    hits.attach(a);
    hits.attach(b, { layers: 2 });
    for (const sprite of [a, b]) {
      for (const event of ["hitmask:began", "hitmask:ended"]) {
        sprite.on(event, (other) => log.push(`${sprite.name} ${event} ${other.name}`));
      }
    }
    this.events.on("hitmask:began", (one, other) => one.name && log.push(`scene ${one.name} ${other.name}`));
    const steps = [
      () => (b.x = 306),
      () => log.push(`picked ${hits.pick(a.x, a.y + 2)?.name}, touching ${hits.touching(a).map((it) => it.name)}`),
      () => log.push(`area ${hits.contact(a, b).area > 0}`),
      () => b.setActive(false),
      () => b.setActive(true),
      () => a.setTexture("sheet", "left"),
      () => b.setScale(0),
      () => b.setScale(1),
      () => b.destroy(),
      () => log.push(`left ${hits.count}`),
      () => log.push(`hidden ${this.hidden()}`),
      () => {
        hits.debug(this.add.graphics());
        log.push(`refused ${refusal(() => hits.attach(a))}, ${refusal(() => hits.attach(b, { x: 1 }))}`);
        this.textures.addCanvas("late", picture(8, 8));
        log.push(`refused ${refusal(() => hits.attach(this.add.sprite(0, 0, "late")))}`);
        log.push(`refused ${refusal(() => new PhaserHitmask(this, hitmask, { textures: ["none"] }))}`);
        this.registry.set("hits", hits);
        this.scene.start("bodies");
      },
    ];
    this.events.on("update", () => steps.shift()?.());
  }
}

/** Counts the pairs of two sprites, and picks one, while it is shown, or hidden by its container or itself. */
Meeting.prototype.hidden = function () {
  const found = [];
  for (const collideHidden of [undefined, false]) {
    const hits = new PhaserHitmask(this, hitmask, { textures: ["odd"], autoUpdate: false, collideHidden });
    const [c, d] = [this.add.sprite(500, 300, "odd"), this.add.sprite(0, 0, "odd")];
    const box = this.add.container(506, 300, [d]);
    const listeners = d.listenerCount("destroy");
    for (const sprite of [c, d]) hits.attach(sprite);
    for (const [isBox, isSprite] of [[true, true], [false, true], [true, false]]) {
      [box.visible, d.visible] = [isBox, isSprite];
      hits.update();
      found.push(`${hits.world.touching().length} ${hits.pick(506, 302) === d}`);
    }
    hits.dispose();
    found.push(d.listenerCount("destroy") === listeners);
    for (const object of [c, box]) object.destroy();
  }
  return found.join(", ");
};

/** A sprite whose body in Phaser's Matter falls and turns: the code of the guide. */
class Bodies extends Phaser.Scene {
  constructor() {
    super({ key: "bodies", physics: { matter: {} } });
  }

  create() {
    const canvas = picture(60, 40);
    this.textures.addCanvas("ship", canvas).setFilter(Phaser.Textures.FilterMode.NEAREST);
    const imageData = canvas.getContext("2d").getImageData(0, 0, 60, 40);
    const atlas = hitmask.bake([{ name: "ship", imageData, pivot: [20, 30] }]);
    const { body, vertices } = this.matter;
    const { pieces, mass } = atlas.shape("ship");
    const parts = pieces.map((points) => body.create({ position: vertices.centre(points), vertices: points }));
    const { width, height, pivot } = atlas.frame("ship");
    const ship = this.matter.add.sprite(0, 0, "ship");
    ship.setExistingBody(body.create({ parts }));
    ship.setOrigin((pivot[0] + mass.centroid.x) / width, (pivot[1] + mass.centroid.y) / height);
    ship.setPosition(300, 200);
    ship.setAngularVelocity(0.04);
    let ticks = 0;
    this.events.on("update", () => {
      if (++ticks !== 20) return;
      this.game.events.once("postrender", () => {
        results.body = this.compare(ship);
        this.scene.start("done", this.registry.get("hits"));
      });
    });
  }

  /** Returns the number of drawn pixels, of those that only the body or only the picture has, and their shift. */
  compare(ship) {
    const { width, height } = this.game.canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(this.game.canvas, 0, 0);
    const shown = copy.getImageData(0, 0, width, height).data;
    const sums = [[0, 0, 0], [0, 0, 0]];
    let wrong = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const isIn = this.matter.query.point([ship.body], { x: x + 0.5, y: y + 0.5 }).length > 0;
        const sides = [shown[4 * (y * width + x) + 3] >= 128, isIn];
        if (sides[0] !== sides[1]) wrong++;
        sides.forEach((isSet, side) => isSet && [1, x, y].forEach((number, at) => (sums[side][at] += number)));
      }
    }
    const [a, b] = sums.map(([count, x, y]) => [x / count, y / count]);
    const { angle, position } = ship.body;
    return { drawn: sums[0][0], wrong, shift: Math.hypot(a[0] - b[0], a[1] - b[1]), angle, fallen: position.y - 200 };
  }
}

class Done extends Phaser.Scene {
  create(hits) {
    results.log.push(`disposed ${hits.world.isDisposed}`);
    results.version = Phaser.VERSION;
    results.done = true;
  }
}

function refusal(work) {
  try {
    work();
    return "nothing";
  } catch (error) {
    return error.code ?? error.stack;
  }
}

new Phaser.Game({
  type: Phaser.WEBGL,
  width: 760,
  height: 520,
  antialias: false,
  roundPixels: false,
  transparent: true,
  banner: false,
  audio: { noAudio: true },
  scene: [
    new Cases("cases"),
    new Meeting("meeting"),
    new Bodies(),
    new Done("done"),
  ],
});
