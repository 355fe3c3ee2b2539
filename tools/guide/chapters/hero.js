// Lets a hero be played on the page about walking, by the functions of the example in JavaScript: build.sh copies them
// to hero-play.js.
const box = document.getElementById("hero");
const status = box.querySelector(".status");
const KEYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "jump", " ": "jump", ArrowDown: "down" };
const held = { left: false, right: false, jump: false, down: false };
const GAME = `<canvas width="480" height="176" tabindex="0" role="application"
  aria-label="A platform game: arrow keys run, jump and drop, M shows the solid pixels"></canvas>
<p class="buttons">
<button type="button" data-key="left">Left</button>
<button type="button" data-key="right">Right</button>
<button type="button" data-key="jump">Jump</button>
<button type="button" data-key="down">Drop</button>
<button type="button" data-key="masks" aria-pressed="false">Solid pixels</button>
</p><p>
<label>climb <input type="range" name="climb" min="0" max="6" value="3"><output>3</output></label>
<label>rise <input type="range" name="rise" min="0" max="4" value="2"><output>2</output></label>
</p>`;
const rules = { climb: 3, oneWay: 2, rise: 2 };

async function start() {
  if (!globalThis.WebAssembly) throw Error("this browser has no WebAssembly");
  if (location.protocol === "file:") throw Error("pages that are opened from the disk may not load modules; serve the folder");
  const get = async (file) => {
    const response = await fetch(file);
    if (!response.ok) throw Error(`${file} is missing`);
    return response;
  };
  const [{ load }, { enter, play }, art, script] = await Promise.all([
    import("./playground/hitmask/index.js"), import("./hero-play.js"), get("art.hitmask"), get("keys.txt"),
  ]);
  const hitmask = await load({ bake: true }); // The module of the playground.
  const world = hitmask.world(hitmask.atlas(await art.arrayBuffer()));
  const game = enter(world);
  const keys = (await script.text()).replace(/\s/g, "");
  const shell = document.createElement("div");
  shell.innerHTML = GAME;
  box.querySelector("figure").replaceWith(shell);
  status.textContent = "It plays by itself. Take over: click it, and use the arrow keys, or the buttons.";
  const canvas = box.querySelector("canvas");
  const draw = painter(canvas.getContext("2d"), world, game);

  // Plays by itself until somebody plays.
  let isPlayed = false, showsMasks = false, isSeen = true, last = 0;
  const take = () => {
    isPlayed = true;
    status.textContent = "Arrow keys: run, jump, drop. M: show the solid pixels.";
  };
  const hold = (name, down) => {
    if (down && !isPlayed) take();
    held[name] = down;
  };
  for (const [type, down] of [["keydown", true], ["keyup", false]]) {
    canvas.addEventListener(type, (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (KEYS[event.key]) hold(KEYS[event.key], down);
      else if (event.key.toLowerCase() !== "m") return;
      else if (down && !event.repeat) box.querySelector("[data-key=masks]").click();
      // The book turns pages with these keys.
      event.preventDefault();
      event.stopPropagation();
    });
  }
  canvas.addEventListener("blur", () => Object.keys(held).forEach((name) => (held[name] = false)));
  for (const button of box.querySelectorAll("[data-key]")) {
    const { key } = button.dataset;
    if (key === "masks") {
      button.addEventListener("click", () => button.setAttribute("aria-pressed", String((showsMasks = !showsMasks))));
      continue;
    }
    button.addEventListener("pointerdown", (event) => {
      button.setPointerCapture(event.pointerId);
      hold(key, true);
    });
    for (const type of ["pointerup", "pointercancel", "blur"]) button.addEventListener(type, () => hold(key, false));
    for (const [type, down] of [["keydown", true], ["keyup", false]]) {
      button.addEventListener(type, (event) => [" ", "Enter"].includes(event.key) && hold(key, down));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }
  for (const slider of box.querySelectorAll("input")) {
    slider.addEventListener("input", () => {
      rules[slider.name] = slider.valueAsNumber;
      slider.nextElementSibling.value = slider.value;
    });
  }

  const tick = () => {
    const key = keys[game.tick % keys.length];
    if (!isPlayed && game.tick >= keys.length) {
      const { x, y } = game.items.find(({ name }) => name === "start");
      world.moveTo(game.hero, x, y);
      Object.assign(game, { tick: 0, speed: 0, floor: null });
    }
    const is = (any) => any.includes(key);
    const shown = isPlayed ? held : { left: is("<\\"), right: is(">/"), jump: is("^/\\"), down: is("v") };
    const { x, y } = play(world, game, shown, rules);
    canvas.dataset.place = `${x} ${y}`;
  };
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  new IntersectionObserver(([entry]) => (isSeen = entry.isIntersecting)).observe(canvas);
  const frame = (now) => {
    requestAnimationFrame(frame);
    if (!isSeen || (isStill && !isPlayed && last)) return void (last = now);
    // At most 4 ticks, so that a page that was hidden does not catch up.
    const ticks = Math.min(Math.floor((now - last) * 0.06), 4);
    if (!ticks) return;
    last = ticks === 4 ? now : last + ticks / 0.06;
    for (let i = 0; i < ticks; i++) tick();
    draw(showsMasks);
  };
  requestAnimationFrame(frame);
}

// Returns a function that draws the game: each collider by its own pixels, so that what is seen is what collides.
function painter(context, world, game) {
  const { width, height } = context.canvas;
  const outline = (id) => {
    const path = new Path2D();
    for (const line of world.polygons(id)) {
      for (let i = 0; i < line.length; i += 2) path[i ? "lineTo" : "moveTo"](line[i], line[i + 1]);
      path.closePath();
    }
    return path;
  };
  // Fills pixels, and what is not within `depth` px of their top once more. `more` draws on them.
  const fill = (path, top, body, depth, more) => {
    context.save();
    context.fillStyle = top;
    context.fill(path);
    context.clip(path);
    context.translate(0, depth);
    context.fillStyle = body;
    context.fill(path);
    context.translate(0, -depth);
    more?.();
    context.restore();
  };
  const rect = (color, x, y, w, h) => {
    context.fillStyle = color;
    context.fillRect(x, y, w, h);
  };
  const land = outline(game.items[0].id);
  const stones = Array.from({ length: 220 }, (_, i) => [(i * 97) % width, (i * i * 31 + i * 53) % height, 1 + (i % 3)])
    .filter(([x, y]) => context.isPointInPath(land, x, y - 9));
  const paint = {
    land: () => fill(land, "#7cc04b", "#8a5a33", 4, () => {
      for (const [x, y, size] of stones) rect("#74492a", x, y, size + 1, size);
    }),
    belt: (path) => fill(path, "#cfd4da", "#4a5058", 1, () => {
      for (let x = 288 - (game.tick % 8); x < 368; x += 8) rect("#e8b33a", x, 156, 4, 2);
    }),
    ledge: (path) => fill(path, "#d9a55b", "#9a6a35", 1),
    lift: (path) => fill(path, "#b9c3d0", "#5f6d80", 2),
  };
  return (showsMasks) => {
    const hero = outline(game.hero);
    const { x, y } = world.get(game.hero);
    // On a phone a part of the level is seen, which follows the hero.
    const { canvas } = context;
    canvas.width = canvas.clientWidth < width ? width / 2 : width;
    context.translate(-Math.max(0, Math.min(Math.floor(x) - canvas.width / 2, width - canvas.width)), 0);
    const sky = context.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, "#6fb7ea");
    sky.addColorStop(1, "#d8f0ff");
    rect(sky, 0, 0, width, height);
    context.fillStyle = "#a9d3e8";
    for (const [x, radius] of [[70, 70], [210, 100], [380, 80], [470, 60]]) {
      context.beginPath();
      context.arc(x, height + 20, radius, 0, 7);
      context.fill();
    }
    for (const { id, name } of game.items) if (id !== null) paint[name](outline(id));
    const left = Math.floor(x) - 6, top = Math.floor(y) - 10, ahead = held.left ? -2 : 2;
    fill(hero, "#c0392b", "#c0392b", 0, () => {
      rect("#5d3a1f", left, top, 12, 3);
      rect("#f1c27d", left, top + 3, 12, 4);
      rect("#20222a", left + 5 + ahead, top + 4, 2, 2);
      rect("#f1c27d", left, top + 10, 1, 2);
      rect("#f1c27d", left + 11, top + 10, 1, 2);
      rect("#2c4a7c", left, top + 13, 12, 5);
      rect("#3b2416", left, top + 18, 12, 2);
    });
    if (!showsMasks) return;
    rect("rgba(16, 20, 30, 0.75)", 0, 0, width, height);
    for (const { id, class: kind } of game.items) {
      if (id === null) continue;
      context.fillStyle = kind === "one-way" ? "#ffd166" : "#8ecae6";
      context.fill(outline(id));
    }
    context.fillStyle = "#ff6b6b";
    context.fill(hero);
  };
}

start().catch(({ message }) => {
  status.textContent = `The game cannot be played here, because ${message}. The picture shows one run of it.`;
});
