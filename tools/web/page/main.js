// The playground: what is shown, and what controls, pointers, keys and files change about it.
import { load } from "./hitmask/index.js";
import { fragmentOf, show } from "./address.js";
import { ours } from "./art.js";
import { program } from "./code.js";
import { atlasBytes, save, shapesJson } from "./download.js";
import { cut, readFiles } from "./files.js";
import { factsOf } from "./facts.js";
import { cellOf, noteOf, showGallery } from "./gallery.js";
import { lookAround, pointAndType } from "./input.js";
import { COUNTS, Many } from "./many.js";
import { scalesOf, SCALES } from "./pose.js";
import { Scene } from "./scene.js";
import { withoutBackground } from "./sheet.js";
import { Stage } from "./stage.js";
import { tabs } from "./tabs.js";

const element = (id) => document.getElementById(id);
const HINTS = {
  touch: "Drag a sprite. Lit pixels belong to both.",
  mask: "The mask: 1 bit per pixel, solid or not. Red pixels are too clear to be solid.",
  pieces: "Convex polygons for physics engines, within the error that you choose.",
  crowd: "Orange edges touch, in the lit pixels. Drag to look around.",
};

const arts = ours();
const shown = {
  mode: "touch", selected: 0, boxes: true, masks: false, wayOut: true, error: 1, shape: null, language: "JavaScript",
  count: 10_000, zoom: 0.5, isRunning: !matchMedia("(prefers-reduced-motion: reduce)").matches,
};

const fail = (text) => Object.assign(element("fault"), { textContent: text, hidden: false });
const hitmask = await load({ bake: true }).catch((error) => {
  fail(`The library cannot start: ${error.message}.`);
  element("view").hidden = true;
  throw error;
});
addEventListener("error", ({ error }) => error && fail(`${error}`));
addEventListener("unhandledrejection", ({ reason }) => fail(`${reason}`));
const scene = new Scene(hitmask, [arts[0], arts[1]]);
const stage = new Stage(element("stage"), scene, shown);
const many = new Many(hitmask, element("many"), shown, stage, { showFacts, changed: refit });
/** What tests read. */
window.playground = { arts, shown, scene, stage, many, drops: 0 };

const player = () => scene.players[shown.selected];

/** Keeps what is shown in the address, once the page has begun. */
let keep = () => {};

/** Draws all anew: after any change but those of the crowd. */
function refresh() {
  keep();
  scene.update();
  if (shown.mode === "pieces") {
    const { art, frame } = player();
    const { width, height } = art.frames[frame];
    shown.shape = hitmask.shape(art.frames[frame], { alpha: art.alpha, maxError: shown.error, origin: [width / 2, height / 2] });
  }
  showControls();
  showProgram();
  if (shown.mode === "crowd") return many.frame(0);
  const answer = scene.answer();
  stage.draw(answer);
  showFacts(factsOf(shown, scene, answer));
}

function refit() {
  stage.resize();
  stage.fit();
  many.resize();
  refresh();
}

function showFacts({ verdict, isHit, facts }) {
  const title = element("verdict");
  if (title.textContent !== verdict) title.textContent = verdict;
  title.className = isHit ? "hit" : "";
  element("facts").replaceChildren(
    ...facts.flatMap(([name, value, color = ""]) => {
      const term = Object.assign(document.createElement("dt"), { textContent: name, className: color });
      return [term, Object.assign(document.createElement("dd"), { textContent: value })];
    }),
  );
}

function showControls() {
  const { art, frame, step, scale, flipX } = player();
  for (const part of document.querySelectorAll("[data-modes]")) part.hidden = !part.dataset.modes.split(" ").includes(shown.mode);
  const set = (id, value, text) => {
    element(id).value = value;
    element(`${id}-text`).textContent = text;
    element(id).setAttribute("aria-valuetext", text);
  };
  set("step", step, `${((360 * step) / 64).toFixed(0)}°, step ${step} of 64`);
  element("scale").max = scalesOf(art).length - 1;
  set("scale", SCALES.indexOf(scale), `${scale}x`);
  set("alpha", art.alpha, `${art.alpha} of 255`);
  set("error", shown.error, `${shown.error} px`);
  element("frame").max = art.frames.length - 1;
  set("frame", frame, `${frame + 1} of ${art.frames.length}`);
  if (art.frames.length === 1) element("frame-row").hidden = true;
  element("flipX").checked = flipX;
  for (const key of ["boxes", "masks", "wayOut"]) element(key).checked = shown[key];
  element("run").textContent = shown.isRunning ? "Pause" : "Run";
  // A number that changes four times in a second is not read out.
  element("verdict").ariaLive = shown.mode === "crowd" ? "off" : "polite";
  element("undrawn").hidden = shown.mode !== "crowd" || many.isDrawn;
  if (shown.mode === "crowd") {
    const zooms = many.zooms();
    const at = Math.max(0, zooms.indexOf(shown.zoom));
    element("zoom").max = zooms.length - 1;
    set("zoom", at, at === 0 ? "all" : `${zooms[at]}x`);
    element("count").max = COUNTS.length - 1;
    set("count", COUNTS.indexOf(shown.count), shown.count.toLocaleString("en"));
  }
  scene.players.forEach(({ art: { name } }, i) => (element(`name-${i}`).textContent = name));
  document.querySelectorAll("[name=player]").forEach((radio, i) => (radio.checked = i === shown.selected));
  element("hint").textContent = HINTS[shown.mode];
  element("stage").setAttribute("aria-label", `Stage: ${scene.players.map(({ art: { name } }) => name).join(" and ")}`);
  for (const button of document.querySelectorAll("#gallery [data-name]")) button.setAttribute("aria-pressed", button.dataset.name === art.name);
  if (shown.mode !== "crowd") {
    element("note").textContent = noteOf(art);
    element("clear").hidden = !noteOf(art);
    element("cut").hidden = !art.sheet;
    if (art.sheet && cutArt !== art) showCells(art);
  }
  const count = taken().length;
  element("atlas-text").textContent = `atlas of ${count} sprite${count === 1 ? "" : "s"}`;
}

let cutArt = null;
/** Offers to cut a sheet into cells of a likely size. */
function showCells(art) {
  cutArt = art;
  element("cut").open = art.frames[0] !== art.sheet;
  for (const [i, side] of ["width", "height"].entries()) {
    Object.assign(element(`cell-${side}`), { max: art.sheet[side], value: cellOf(art)[i] });
  }
}

/** The sprites that downloads and the crowd hold: those on the stage, and all of the person's own. */
const taken = () => {
  if (shown.mode === "crowd" && !arts.some(({ isYours }) => isYours)) return arts;
  return arts.filter((art) => art.isYours || scene.players.some((one) => one.art === art));
};

function showProgram() {
  const names = taken().map(({ name }) => name);
  element("program").textContent = program(shown.language, { ...shown, players: scene.players, names });
}

/** Shows a tab. */
function enterMode(mode) {
  shown.mode = mode;
  const isCrowd = mode === "crowd";
  element("view").setAttribute("aria-labelledby", `mode-${mode}`);
  // Keeps its place, and takes no focus.
  element("stage").style.visibility = isCrowd ? "hidden" : "";
  element("many").hidden = !isCrowd;
  stage.resize();
  if (isCrowd) {
    many.start(taken());
  } else {
    many.stop();
    stage.fit();
  }
  refresh();
}

const showArts = () => showGallery(element("gallery"), arts, { take, remove });

function showFaults(texts) {
  element("faults").replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  if (texts.length > 0) element("faults").scrollIntoView({ block: "nearest" });
}

/** Lets a player show a sprite. */
const give = (player, art) => Object.assign(player, { art, frame: 0, scale: 1 });

/** Lets the selected player show a sprite, and lets the two touch. */
function take(art) {
  give(player(), art);
  scene.meet();
  if (shown.mode === "crowd") modeTabs.select("touch"), enterMode("touch");
  else refit();
}

/** Adds sprites under names of their own. The first of them is on the stage. */
function add(found) {
  for (const art of found) {
    const { name } = art;
    for (let i = 2; arts.some((other) => other.name === art.name); i++) art.name = `${name}-${i}`;
    arts.push(art);
  }
  if (found.length > 0) give(player(), found[0]);
  changed();
}

function remove(art) {
  arts.splice(arts.indexOf(art), 1);
  scene.players.forEach((one, i) => one.art === art && give(one, arts[i]));
  changed();
  element("files").focus({ preventScroll: true });
}

/** Shows other sprites, in the same tab. */
function changed() {
  showArts();
  scene.meet();
  enterMode(shown.mode);
}

async function takeFiles(files) {
  if (files.length === 0) return;
  const { arts: found, faults } = await readFiles(files);
  showFaults(faults);
  add(found);
  window.playground.drops++;
}

/** Changes the sprite of the selected player, or says why not. */
function edit(change) {
  const { art } = player();
  try {
    change(art);
    showFaults([]);
  } catch ({ message }) {
    showFaults([`${art.name} ${message}`]);
  }
}

/** Binds a range or a checkbox to what it sets. */
function bind(id, set, fits = false) {
  element(id).addEventListener("input", ({ target }) => {
    set(target.type === "checkbox" ? target.checked : Number(target.value));
    if (fits) stage.fit();
    refresh();
  });
}

bind("step", (value) => (player().step = value));
bind("scale", (value) => (player().scale = SCALES[value]), true);
bind("alpha", (value) => (player().art.alpha = value));
bind("frame", (value) => (player().frame = value));
bind("error", (value) => (shown.error = value));
bind("count", (value) => {
  shown.count = COUNTS[value];
  many.start(taken());
});
bind("zoom", (value) => (shown.zoom = value === 0 ? 0 : many.zooms()[value]));
bind("flipX", (value) => (player().flipX = value));
for (const key of ["boxes", "masks", "wayOut"]) bind(key, (value) => (shown[key] = value));
element("controls").addEventListener("change", ({ target }) => {
  if (target.name !== "player") return;
  shown.selected = Number(target.value);
  refit();
});
for (const [id, isSprites] of [["cut-frames", false], ["cut-sprites", true]]) {
  element(id).addEventListener("click", () => {
    const sides = [element("cell-width"), element("cell-height")];
    if (!sides.every((side) => side.reportValidity())) return;
    edit((art) => {
      const found = cut(art, ...sides.map((side) => side.valueAsNumber), isSprites);
      if (isSprites) arts.splice(arts.indexOf(art), 1);
      // Frames and scales that are shown may be gone.
      for (const one of scene.players) if (one.art === art) give(one, isSprites ? found[0] : art);
      add(found);
    });
  });
}
element("clear").addEventListener("click", () => {
  edit((art) => {
    const frames = art.frames.map(withoutBackground);
    if (frames.every((image) => !image.data.some((value, i) => i % 4 === 3 && value >= art.alpha))) {
      throw new Error("has one color only, so nothing would be left");
    }
    Object.assign(art, { frames, sheet: art.sheet && withoutBackground(art.sheet) });
    changed();
  });
});
element("again").addEventListener("click", () => {
  scene.meet();
  refit();
});
element("run").addEventListener("click", () => {
  shown.isRunning = !shown.isRunning;
  refresh();
});

const languageTabs = tabs(element("languages"), (language) => {
  shown.language = language;
  showProgram();
});
const modeTabs = tabs(document.querySelector(".modes"), enterMode);

const copy = async (button, text) => {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed: select it";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
};
element("copy").addEventListener("click", ({ currentTarget }) => copy(currentTarget, element("program").textContent));
element("copy-install").addEventListener("click", ({ currentTarget }) => copy(currentTarget, "npm install hitmask"));

/** Makes a file and lets the browser save it, or says why not. */
function offer(name, make) {
  try {
    const content = make();
    save(name, content);
    element("saved").textContent = `${name}: ${content.length.toLocaleString("en")} bytes`;
  } catch (error) {
    element("saved").textContent = `${name} cannot be made: ${error.message}`;
  }
}
element("save-atlas").addEventListener("click", () => {
  const scales = [...new Set([1, ...scene.players.map(({ scale }) => scale)])].sort((a, b) => a - b);
  offer("sprites.hitmask", () => atlasBytes(hitmask, taken(), scales));
});
element("save-shapes").addEventListener("click", () => offer("shapes.json", () => shapesJson(hitmask, taken(), shown.error)));

element("files").addEventListener("change", async ({ target }) => {
  await takeFiles([...target.files]);
  target.value = "";
});
addEventListener("paste", ({ clipboardData }) => takeFiles([...(clipboardData?.files ?? [])]));
const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  element("drop").hidden = false;
});
addEventListener("dragleave", ({ relatedTarget }) => (element("drop").hidden = relatedTarget === null));
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  element("drop").hidden = true;
  takeFiles([...event.dataTransfer.files]);
});

pointAndType(stage, scene, shown, { refresh, select: (i) => ((shown.selected = i), refresh()) });
lookAround(many, (by) => {
  const zooms = many.zooms();
  const at = Math.max(0, zooms.indexOf(shown.zoom)) + by;
  if (at < zooms.length) shown.zoom = at > 0 ? zooms[at] : 0;
  refresh();
});
new ResizeObserver(refit).observe(element("stage"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refit);
showArts();
scene.players[0].step = 6;
scene.meet();
const first = fragmentOf(shown, scene.players, "");
const missing = show(location.hash.slice(1), shown, scene.players, arts);
if (missing.length > 0) {
  showFaults([...new Set(missing)].map((name) => `“${name}” is not here, because an address holds no pictures: drop it again`));
}
languageTabs.select(shown.language);
modeTabs.select(shown.mode);
stage.resize();
stage.fit();
for (const one of scene.players) [one.x, one.y] = stage.inside([one.x, one.y]);
enterMode(shown.mode);
addEventListener("hashchange", () => location.reload());
let late = 0;
/** Keeps what is shown in the address, soon: browsers take few changes in a second. */
keep = () => {
  clearTimeout(late);
  late = setTimeout(() => {
    const fragment = fragmentOf(shown, scene.players, first);
    if (fragment !== location.hash.slice(1)) history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
  }, 300);
};
document.documentElement.dataset.ready = "true";
