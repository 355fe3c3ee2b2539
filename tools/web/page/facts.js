// What the library says, in words.

const signed = (value) => (value < 0 ? `−${Math.abs(value)}` : `${value}`);
const pair = ({ x, y }, digits = 0) => `${signed(Number(x.toFixed(digits)))}, ${signed(Number(y.toFixed(digits)))}`;
const pixels = (count) => `${count.toLocaleString("en")} px`;

/**
 * Returns a verdict and facts about what is shown: [name, value, color of what is drawn].
 *
 * @param {object} shown
 * @param {import("./scene.js").Scene} scene
 * @param {ReturnType<import("./scene.js").Scene["answer"]>} answer
 */
export function factsOf(shown, scene, answer) {
  const player = scene.players[shown.selected];
  if (shown.mode === "mask") return maskFacts(scene, player, answer.rects[shown.selected]);
  if (shown.mode === "pieces") return shapeFacts(shown, player);
  return touchFacts(answer);
}

function touchFacts({ overlap, distance, boxesOverlap }) {
  if (!overlap) {
    const verdict = boxesOverlap ? "Their boxes overlap, their pixels do not" : "They do not touch";
    const gap = distance === null ? "none: a sprite has no solid pixel" : `${distance.toFixed(1)} px apart`;
    return { verdict, isHit: false, facts: [["nearest pixels", gap]] };
  }
  const { area, point, normal, pushOut, depth } = overlap;
  return {
    verdict: "They touch",
    isHit: true,
    facts: [
      ["shared pixels", area.toLocaleString("en"), "shared"],
      ["contact point", pair(point), "point"],
      ["normal", pair(normal, 2), "normal"],
      ["way out", pair(pushOut), "out"],
      ["depth", `${depth.toFixed(1)} px`],
    ],
  };
}

function maskFacts(scene, player, rects) {
  let solid = 0;
  for (let i = 0; i < rects.length; i += 4) solid += (rects[i + 2] - rects[i]) * (rects[i + 3] - rects[i + 1]);
  const { data } = scene.picture(player).image;
  let visible = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] > 0) visible++;
  return {
    verdict: solid === 0 ? "No pixel is solid: lower the alpha" : `${pixels(solid)} are solid`,
    isHit: false,
    facts: [
      ["visible pixels", visible.toLocaleString("en")],
      ["of these not solid", Math.max(0, visible - solid).toLocaleString("en"), "lost"],
    ],
  };
}

function shapeFacts({ shape, error }, { art, frame }) {
  const { pieces, polygons, mass } = shape;
  const corners = polygons.reduce((sum, { border, holes }) => sum + [border, ...holes].flat().length, 0);
  const { data } = art.frames[frame];
  let solid = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] >= art.alpha) solid++;
  return {
    verdict: `${pieces.length} convex piece${pieces.length === 1 ? "" : "s"}`,
    isHit: false,
    facts: [
      ["outline corners", `${corners}`],
      ["outline error", `at most ${error} px`],
      ["area", pixels(Math.round(mass.area))],
      ["area of the pixels", pixels(solid)],
    ],
  };
}
