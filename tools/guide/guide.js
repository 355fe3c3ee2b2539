// Turns the examples of a page into tabs, one for each language. The chosen language is kept for all pages.
// Without scripts each language has a heading.
(() => {
  const KEY = "hitmask-language";
  const all = [...document.querySelectorAll(".languages")];
  const stored = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const show = (language) => {
    for (const box of all) {
      const panels = [...box.querySelectorAll(".language")];
      const chosen = panels.find((panel) => panel.dataset.language === language) ?? panels[0];
      panels.forEach((panel, i) => {
        const tab = box.firstElementChild.children[i];
        panel.hidden = panel !== chosen;
        tab.setAttribute("aria-selected", String(panel === chosen));
        tab.tabIndex = panel === chosen ? 0 : -1;
      });
    }
  };
  all.forEach((box, number) => {
    const list = document.createElement("div");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Language");
    for (const panel of box.querySelectorAll(".language")) {
      const { language } = panel.dataset;
      const tab = document.createElement("button");
      Object.assign(tab, { type: "button", textContent: language, id: `tab-${number}-${language}` });
      tab.setAttribute("role", "tab");
      panel.id = `panel-${number}-${language}`;
      tab.setAttribute("aria-controls", panel.id);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.querySelector(".language-name").hidden = true;
      tab.addEventListener("click", () => {
        try {
          localStorage.setItem(KEY, language);
        } catch {
          // Kept for this page alone.
        }
        show(language);
      });
      list.append(tab);
    }
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const tabs = [...list.children];
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      next.click();
      next.focus();
      // The book turns pages with these keys.
      event.stopPropagation();
    });
    box.prepend(list);
  });
  show(stored());
})();

// Shows one language beside Rust in the table of calls, or all. A phone begins with one.
(() => {
  const table = [...document.querySelectorAll("main table")].find((it) => it.rows[0].cells[1]?.textContent === "C");
  if (!table) return;
  document.body.classList.add("calls");
  const heads = [...table.rows[0].cells].map((cell) => cell.textContent);
  const label = document.createElement("label");
  const select = document.createElement("select");
  label.className = "switch";
  select.append(new Option("all languages", ""), ...heads.slice(1).map((name, i) => new Option(name, i + 1)));
  label.append("Beside Rust: ", select);
  const show = () => {
    for (const { cells } of table.rows) {
      for (const cell of cells) cell.hidden = Boolean(select.value) && cell.cellIndex > 0 && cell.cellIndex !== Number(select.value);
    }
  };
  if (innerWidth < 700) select.value = "1";
  select.addEventListener("change", show);
  show();
  table.parentElement.before(label);
})();

// A slider for the hitboxes of a picture.
for (const steps of [[...document.querySelectorAll(".fair")]].filter(({ length }) => length)) {
  const label = document.createElement("label");
  const [slider, output] = [document.createElement("input"), document.createElement("output")];
  Object.assign(slider, { type: "range", min: -4, max: 4, value: -2 });
  const show = () => {
    for (const step of steps) step.setAttribute("display", step.dataset.step === slider.value ? "inline" : "none");
    output.value = `${Math.abs(slider.value)} px ${slider.value > 0 ? "larger" : "smaller"}`;
  };
  label.className = "switch";
  label.append("Hitboxes: ", slider, output);
  slider.addEventListener("input", show);
  show();
  steps[0].closest("figure").append(label);
}

// What the pages of mdBook lack for keyboards and screen readers.
(() => {
  document.getElementById("mdbook-menu-bar")?.setAttribute("role", "banner");
  // A label takes none of them.
  const toggle = document.getElementById("mdbook-sidebar-toggle");
  for (const name of ["aria-label", "aria-expanded", "aria-controls"]) toggle?.removeAttribute(name);
  // Code that is wider than its box is scrolled by keys.
  for (const code of document.querySelectorAll("pre > code, .table-wrapper")) code.tabIndex = 0;
})();
