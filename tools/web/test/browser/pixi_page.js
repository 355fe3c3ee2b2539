// Sprites that show every way to place one, and two that meet.
import { Application, Container, Graphics, ImageSource, Rectangle, Sprite, Texture, VERSION } from "/node_modules/pixi.js/dist/pixi.mjs";
import { load } from "/index.js";
import { PixiHitmask } from "/pixi.js";
import { compare, overlay, picture, step } from "./compare.js";

const hitmask = await load({ bake: true });
const results = { log: [], version: VERSION };
window.results = results;

const app = new Application();
await app.init({ width: 760, height: 520, backgroundAlpha: 0, preference: "webgl", autoStart: false, antialias: false });
document.body.append(app.canvas);

const nearest = (canvas) => new Texture({ source: new ImageSource({ resource: canvas, scaleMode: "nearest" }) });
const [odd, even, sheet] = [nearest(picture(13, 9)), nearest(picture(16, 12)), nearest(picture(40, 20))];
const resource = await createImageBitmap(picture(40, 24));
const double = new Texture({ source: new ImageSource({ resource, resolution: 2, scaleMode: "nearest" }) });
const left = new Texture({ source: sheet.source, frame: new Rectangle(0, 0, 20, 20) });
const trimmed = new Texture({
  source: sheet.source,
  frame: new Rectangle(10, 0, 20, 20),
  orig: new Rectangle(0, 0, 30, 26),
  trim: new Rectangle(3, 5, 20, 20),
});
const textures = { odd, even, left, trimmed, double };
const camera = new Container();
app.stage.addChild(camera);
const hits = new PixiHitmask(hitmask, { textures, angles: 64, scales: [1, 2], root: app.stage });
results.warnings = hits.warnings;

let at = 0;
const place = (label, texture, { anchor, ...change } = {}) => {
  // At a whole position, the edges of images of odd size are on pixel centres: at half ones they are between.
  const half = texture === odd && !anchor && !/whole|twice/.test(label) ? 0.5 : 0;
  const [x, y] = [40 + 80 * (at % 9) + half, 40 + 70 * Math.floor(at / 9) + half];
  at++;
  const sprite = new Sprite({ texture, label, x, y, ...change });
  sprite.anchor.set(...(anchor ?? [0.5, 0.5]));
  camera.addChild(sprite);
  return hits.attach(sprite);
};
for (const [name, texture] of [["odd", odd], ["even", even], ["trimmed", trimmed]]) {
  place(name, texture);
  place(`${name} anchor 0`, texture, { anchor: [0, 0] });
  place(`${name} mirrored, anchor 1, 1/4`, texture, { anchor: [1, 0.25], scale: { x: -1, y: 1 } });
  place(`${name} mirrored down`, texture, { scale: { x: 1, y: -1 } });
  place(`${name} quarter turn`, texture, { rotation: Math.PI / 2 });
  place(`${name} turned`, texture, { rotation: step(5) });
  place(`${name} turned, mirrored, anchor`, texture, { rotation: step(-9), scale: { x: -1, y: 1 }, anchor: [0.25, 1] });
  place(`${name} twice as large`, texture, { scale: 2 });
  place(`${name} wide`, texture, { scale: { x: 2.5, y: 1 } });
  place(`${name} scale 1.5, turned`, texture, { scale: 1.5, rotation: 1 });
  place(`${name} skewed`, texture, { skew: { x: 0.4, y: 0 } });
  place(`${name} pivot`, texture, { pivot: { x: 3, y: 2 }, rotation: step(4) });
}
place("odd at a whole position", odd);
place("left", left);
place("double", double);
place("double turned", double, { rotation: step(6) });
place("double, twice as large", double, { scale: 2 });
const inner = place("in a container", odd, { x: 5, y: -3, rotation: step(3) });
const group = new Container({ x: 40 + 80 * ((at - 1) % 9), y: 40 + 70 * Math.floor((at - 1) / 9), rotation: step(4) });
camera.addChild(group);
group.addChild(inner);
hits.update();
app.render();
results.cases = compare(app.canvas, hits);
app.render();
results.picture = overlay(app.canvas, hits);
for (const sprite of [...camera.children]) sprite.destroy({ children: true });
results.log.push(`left ${hits.count}`);
hits.dispose();

const meeting = new PixiHitmask(hitmask, { textures: [odd, left], ticker: app.ticker, root: camera });
// A camera changes nothing, because positions are in its pixels.
camera.position.set(50, 20);
camera.scale.set(1.7);
const { log } = results;
const [a, b] = ["a", "b"].map((label, i) => new Sprite({ texture: odd, label, x: 100 + 100 * i, y: 100 }));
camera.addChild(a, b);
meeting.attach(a);
meeting.attach(b);
for (const sprite of [a, b]) {
  for (const event of ["hitmask:began", "hitmask:ended"]) {
    sprite.on(event, (other) => log.push(`${sprite.label} ${event} ${other.label}`));
  }
}
camera.on("hitmask:began", (one, other) => log.push(`root ${one.label} ${other.label}`));
/** Counts the pairs of two sprites, and picks one, while it is shown, or hidden by its container or itself. */
function hidden() {
  const found = [];
  for (const collideHidden of [undefined, false]) {
    const around = new Container();
    camera.addChild(around);
    const hits = new PixiHitmask(hitmask, { textures: [odd], root: around, collideHidden });
    const box = new Container({ x: 506, y: 300 });
    const [c, d] = [new Sprite({ texture: odd, x: 500, y: 300 }), new Sprite(odd)];
    box.addChild(d);
    around.addChild(c, box);
    for (const sprite of [c, d]) hits.attach(sprite);
    for (const [isBox, isSprite] of [[true, true], [false, true], [true, false]]) {
      [box.visible, d.visible] = [isBox, isSprite];
      hits.update();
      // From the top left corner, as the anchor says.
      found.push(`${hits.world.touching().length} ${hits.pick(517, 306) === d}`);
    }
    hits.dispose();
    found.push(d.listenerCount("destroyed") === 0);
    around.destroy({ children: true });
  }
  return found.join(", ");
}

const steps = [
  () => {},
  () => (b.x = 106),
  () => log.push(`picked ${meeting.pick(111, 107)?.label}, touching ${meeting.touching(a).map((it) => it.label)}`),
  () => log.push(`area ${meeting.contact(a, b).area > 0}`),
  () => camera.removeChild(b),
  () => camera.addChild(b),
  () => (a.texture = left),
  () => b.scale.set(0),
  () => b.scale.set(1),
  () => b.destroy(),
  () => {
    log.push(`left ${meeting.count}`, `hidden ${hidden()}`);
    const graphics = new Graphics();
    meeting.debug(graphics);
    camera.addChild(graphics);
    const late = new Sprite(even);
    camera.addChild(late);
    for (const work of [() => meeting.attach(a), () => meeting.attach(late), () => new PixiHitmask(hitmask, {})]) {
      try {
        work();
        log.push("nothing refused");
      } catch (error) {
        log.push(`refused ${error.code ?? error.stack}`);
      }
    }
    meeting.dispose();
    log.push(`disposed ${meeting.world.isDisposed}`);
    results.done = true;
  },
];
app.ticker.add(() => steps.shift()?.());
app.start();
