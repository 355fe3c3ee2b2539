// The sprites to choose from, and what can be done with a person's own.
import { isFull } from "./sheet.js";
import { canvasOf } from "./pose.js";

const button = (properties) => Object.assign(document.createElement("button"), { type: "button", ...properties });

/**
 * Shows sprites as buttons. A press takes one. A person's own have a second button, which removes them.
 *
 * @param {HTMLElement} gallery
 * @param {ReturnType<typeof import("./art.js").newArt>[]} arts
 * @param {{ take: (art: object) => void, remove: (art: object) => void }} calls
 */
export function showGallery(gallery, arts, { take, remove }) {
  gallery.replaceChildren(
    ...arts.map((art) => {
      const { width, height } = art.frames[0];
      const count = art.frames.length > 1 ? `, ${art.frames.length} frames` : "";
      const choose = button({ title: art.note });
      choose.dataset.name = art.name;
      const text = document.createElement("span");
      text.append(Object.assign(document.createElement("strong"), { textContent: art.name }), `${width} x ${height}${count}`);
      if (art.note) text.append(Object.assign(document.createElement("small"), { textContent: art.note }));
      choose.append(canvasOf(art.frames[0]), text);
      choose.addEventListener("click", () => take(art));
      const entry = Object.assign(document.createElement("div"), { className: "entry" });
      entry.append(choose);
      if (art.isYours) {
        const away = button({ className: "remove", textContent: "×", title: `Remove ${art.name}`, ariaLabel: `Remove ${art.name}` });
        away.addEventListener("click", () => remove(art));
        entry.append(away);
      }
      return entry;
    }),
  );
}

/** Returns what is to be said about a sprite whose mask is a full rectangle, or nothing. */
export const noteOf = ({ name, isYours, alpha, frames }) =>
  isYours && frames.every((image) => isFull(image, alpha))
    ? `No pixel of ${name} is clear, so its mask is a full rectangle. Save it as PNG or WebP with a transparent background, or:`
    : "";

/** Returns a likely size of a cell of a sheet. */
export function cellOf({ sheet: { width, height }, frames }) {
  if (frames.length > 1) return [frames[0].width, frames[0].height];
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const side = long > short && long % short === 0 ? short : 32;
  return [Math.min(side, width), Math.min(side, height)];
}
