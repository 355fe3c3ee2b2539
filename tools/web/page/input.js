// Pointers and keys on the stage.
import { ANGLES, scalesOf } from "./pose.js";

/** How near to a sprite or a handle a mouse and a finger must be, in pixels of the page. */
const REACH = { mouse: 10, pen: 10, touch: 24 };

/**
 * @param {import("./stage.js").Stage} stage
 * @param {import("./scene.js").Scene} scene
 * @param {object} shown
 * @param {{ refresh: () => void, select: (player: number) => void }} calls
 */
export function pointAndType(stage, scene, shown, { refresh, select }) {
  const { canvas } = stage;
  const player = () => scene.players[shown.selected];

  /** Returns what a pointer at an event grabs: "turn", the number of a player, or null. */
  const grabbed = (event) => {
    const [x, y] = stage.place(event);
    if (shown.mode !== "touch") return null;
    const reach = stage.length(REACH[event.pointerType] ?? REACH.touch);
    const [u, v] = stage.handle();
    if (Math.hypot(u - x, v - y) <= reach) return "turn";
    return scene.pick(x, y, Math.ceil(reach / 2));
  };

  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    const found = grabbed(event);
    if (found === null) return;
    canvas.setPointerCapture(event.pointerId);
    if (found !== "turn") select(found);
    const [x, y] = stage.place(event);
    drag = { pointer: event.pointerId, isTurn: found === "turn", dx: player().x - x, dy: player().y - y };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag?.pointer !== event.pointerId) {
      canvas.style.cursor = { number: "grab", string: "crosshair" }[typeof grabbed(event)] ?? "default";
      return;
    }
    const [x, y] = stage.place(event);
    const one = player();
    if (drag.isTurn) {
      const angle = Math.atan2(y - one.y, x - one.x) + Math.PI / 2;
      one.step = (Math.round((angle * ANGLES) / (2 * Math.PI)) + ANGLES) % ANGLES;
    } else {
      [one.x, one.y] = stage.inside([x + drag.dx, y + drag.dy]);
      canvas.style.cursor = "grabbing";
    }
    refresh();
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (drag = null));
  // A finger on a sprite moves it. Elsewhere it scrolls the page.
  canvas.addEventListener("touchstart", (event) => {
    const [{ clientX, clientY }] = event.touches;
    if (grabbed({ clientX, clientY, pointerType: "touch" }) !== null) event.preventDefault();
  }, { passive: false });

  canvas.addEventListener("keydown", (event) => {
    if (shown.mode === "pieces" || event.ctrlKey || event.metaKey || event.altKey) return;
    const one = player();
    const far = event.shiftKey ? 10 : 1;
    const move = (dx, dy) => ([one.x, one.y] = stage.inside([one.x + far * dx, one.y + far * dy]));
    const turn = (by) => (one.step = (one.step + by + ANGLES) % ANGLES);
    const scales = scalesOf(one.art);
    const resize = (by) => (one.scale = scales[scales.indexOf(one.scale) + by] ?? one.scale);
    const act = {
      ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
      q: () => turn(-1), e: () => turn(1), "-": () => resize(-1), "+": () => resize(1), "=": () => resize(1),
      " ": () => select(1 - shown.selected),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
    if ("-+=".includes(event.key) || shown.mode === "mask") stage.fit();
    refresh();
  });
}

/**
 * Lets pointers, keys and the wheel look around among many sprites. The wheel scrolls the page until the canvas has
 * the focus.
 *
 * @param {import("./many.js").Many} many
 * @param {(by: number) => void} zoom
 */
export function lookAround(many, zoom) {
  const { canvas } = many;
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    held = [event.pointerId, event.clientX, event.clientY];
  });
  canvas.addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
    if (held?.[0] !== pointerId) return;
    many.pan(held[1] - clientX, held[2] - clientY);
    held = [pointerId, clientX, clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (held = null));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas) return;
    event.preventDefault();
    if (event.deltaY !== 0) zoom(event.deltaY < 0 ? 1 : -1);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 200 : 40;
    const act = {
      ArrowLeft: () => many.pan(-far, 0), ArrowRight: () => many.pan(far, 0),
      ArrowUp: () => many.pan(0, -far), ArrowDown: () => many.pan(0, far),
      "-": () => zoom(-1), "+": () => zoom(1), "=": () => zoom(1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
