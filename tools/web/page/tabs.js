/**
 * Lets a list of tabs follow pointers and keys: arrows, Home and End choose, as screen readers expect.
 *
 * @param {HTMLElement} list Holds buttons of the role "tab" with `data-value`.
 * @param {(value: string) => void} choose
 */
export function tabs(list, choose) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const select = (value) => {
    for (const tab of all) {
      const isChosen = tab.dataset.value === value;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
    }
  };
  const take = (tab) => {
    select(tab.dataset.value);
    choose(tab.dataset.value);
  };
  list.addEventListener("click", ({ target }) => target.closest("[role=tab]") && take(target.closest("[role=tab]")));
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = all[to % all.length];
    tab.focus();
    take(tab);
  });
  select(all[0].dataset.value);
  return { select };
}
