// Pointers and keys on the stage.
import { ANGLES, scalesOf } from "./pose.js";

/** How near to a sprite or a handle a mouse and a finger must be, in pixels of the page. */
const REACH = { mouse: 10, pen: 10, touch: 24 };

/**
 * @param {import("./stage.js").Stage} stage
 * @param {import("./scene.js").Scene} scene
 * @param {object} shown
 * @param {{ refresh: () => void, select: (player: number) => void, drawCrowd: () => void }} calls
 */
export function pointAndType(stage, scene, shown, { refresh, select, drawCrowd }) {
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

  /** Moves the magnifier over a crowd to a place on the canvas, in pixels of the page. */
  const look = (x, y) => {
    shown.pointer = [Math.max(0, Math.min(canvas.clientWidth, x)), Math.max(0, Math.min(canvas.clientHeight, y))];
    if (!shown.isRunning) drawCrowd();
  };

  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    if (shown.mode === "crowd") look(event.offsetX, event.offsetY);
    const found = grabbed(event);
    if (found === null) return;
    canvas.setPointerCapture(event.pointerId);
    if (found !== "turn") select(found);
    const [x, y] = stage.place(event);
    drag = { pointer: event.pointerId, isTurn: found === "turn", dx: player().x - x, dy: player().y - y };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (shown.mode === "crowd") return look(event.offsetX, event.offsetY);
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
    const move = (dx, dy) => {
      if (shown.mode !== "crowd") return ([one.x, one.y] = stage.inside([one.x + far * dx, one.y + far * dy]));
      const [x, y] = shown.pointer ?? [canvas.clientWidth / 2, canvas.clientHeight / 2];
      look(x + 16 * far * dx, y + 16 * far * dy);
    };
    const turn = (by) => (one.step = (one.step + by + ANGLES) % ANGLES);
    const scales = scalesOf(one.art);
    const resize = (by) => (one.scale = scales[scales.indexOf(one.scale) + by] ?? one.scale);
    const act = {
      ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
      q: () => turn(-1), e: () => turn(1), "-": () => resize(-1), "+": () => resize(1), "=": () => resize(1),
      " ": () => select(1 - shown.selected),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (shown.mode === "crowd" && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    act();
    if (shown.mode === "crowd") return;
    if ("-+=".includes(event.key) || shown.mode === "mask") stage.fit();
    refresh();
  });
}
