// Sorts, searches and filters the table rows, which are all in a template of the page. Rows are drawn
// when they come into view. The state is in the URL after the #, so that a view can be linked: q, sort
// (a column, descending with a leading -), odd, theme, picture, and hide (art, mask, pieces, pivot, separated
// by spaces).
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const body = document.querySelector(".sprites tbody");
  const pool = $("rows").content;
  const rows = [...pool.querySelectorAll("tr")];
  for (const row of rows) row.hidden = true;
  // Rows that are drawn at a time.
  const STEP = 40;
  // Parts of a picture that can be hidden.
  const PARTS = ["art", "mask", "pieces", "pivot"];
  // The rows that match, in order, and how many of them are drawn.
  let found = [];
  let drawn = 0;
  const heads = [...document.querySelectorAll("thead th[data-key]")];
  const words = new Intl.Collator("en", { numeric: true });
  const text = new Map(rows.map((row) => [row, row.cells[1].textContent.toLowerCase()]));
  const state = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

  function sort() {
    const asked = state.get("sort") || "name";
    const down = asked.startsWith("-");
    const key = asked.replace(/^-/, "");
    if (!heads.some((head) => head.dataset.key === key)) return;
    const number = (row) => parseFloat(row.dataset[key]);
    rows.sort((a, b) => {
      if (key === "name") return (down ? -1 : 1) * words.compare(a.dataset.name, b.dataset.name);
      const [x, y] = [number(a), number(b)];
      // Rows without a number come last in both directions.
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
      return (down ? y - x : x - y) || words.compare(a.dataset.name, b.dataset.name);
    });
    for (const head of heads) {
      const order = head.dataset.key === key ? (down ? "descending" : "ascending") : "none";
      head.setAttribute("aria-sort", order);
    }
  }

  function search() {
    const parts = (state.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    found = rows.filter((row) =>
      parts.every((part) => text.get(row).includes(part))
      && !(state.has("odd") && row.dataset.warnings === "0"));
    $("count").textContent = `${found.length} of ${rows.length} sprites`;
    $("none").hidden = found.length > 0;
    for (const row of [...body.rows]) put(row, pool);
    drawn = 0;
    draw(STEP);
  }

  function put(row, place) {
    row.hidden = place === pool;
    place.append(row);
  }

  // Draws rows until `count` are drawn, and more while the end is in view.
  function draw(count) {
    while (drawn < Math.min(count, found.length)) put(found[drawn++], body);
    const near = () => $("more").getBoundingClientRect().top < 2 * innerHeight;
    while (drawn < found.length && near()) {
      for (const row of found.slice(drawn, drawn + STEP)) put(row, body);
      drawn = Math.min(drawn + STEP, found.length);
    }
  }

  function look() {
    const theme = state.get("theme");
    document.documentElement.style.colorScheme = theme || "";
    $("theme").value = theme || "";
    const hidden = (state.get("hide") || "").split(" ");
    for (const part of PARTS) {
      document.body.classList.toggle(`no-${part}`, hidden.includes(part));
      $(part).checked = !hidden.includes(part);
    }
    const picture = state.get("picture");
    if (picture) document.documentElement.style.setProperty("--picture", `${parseInt(picture, 10)}px`);
    $("picture").value = picture || 96;
    $("q").value = state.get("q") || "";
    $("odd").checked = state.has("odd");
  }

  function keep(name, value) {
    value ? state.set(name, value) : state.delete(name);
    history.replaceState(null, "", state.size ? `#${state}` : location.pathname + location.search);
  }

  for (const head of heads) {
    head.querySelector("button").addEventListener("click", () => {
      const key = head.dataset.key;
      // The first click sorts names ascending and numbers descending; the next click reverses.
      const first = key === "name" ? key : `-${key}`;
      const now = state.get("sort") || "name";
      keep("sort", now === first ? (key === "name" ? `-${key}` : key) : first);
      sort();
      search();
    });
  }
  new IntersectionObserver(() => draw(drawn), { rootMargin: "100% 0px" }).observe($("more"));
  $("q").addEventListener("input", () => { keep("q", $("q").value); search(); });
  $("odd").addEventListener("change", () => { keep("odd", $("odd").checked ? "1" : ""); search(); });
  $("theme").addEventListener("change", () => { keep("theme", $("theme").value); look(); });
  $("picture").addEventListener("input", () => {
    keep("picture", $("picture").value);
    look();
    draw(drawn);
  });
  for (const part of PARTS) {
    $(part).addEventListener("change", () => {
      const hidden = PARTS.filter((other) => !$(other).checked);
      keep("hide", hidden.join(" "));
      look();
    });
  }
  // A link to a row clears the filter and draws the rows before it.
  function follow() {
    if (!location.hash.startsWith("#s-")) return;
    state.delete("q");
    state.delete("odd");
    look();
    search();
    draw(1 + found.findIndex((row) => `#${row.id}` === location.hash));
    document.querySelector(location.hash)?.scrollIntoView({ block: "center" });
  }
  addEventListener("hashchange", follow);
  look();
  sort();
  search();
  follow();
})();
