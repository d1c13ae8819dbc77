/** The page's frame: which page an address means, the bar on top, light and dark, and who this tab is. */

import { clear, h, svg } from "./dom.js";
import { openAccess } from "./access.js";
import { problemBox, tell } from "./say.js";
import { addToken, tokenFor, tokens } from "./session.js";

const PAGES = {
  "": { name: "Lobby", load: () => import("./pages/lobby.js") },
  new: { name: "New game", load: () => import("./pages/new.js") },
  table: { name: "Table", load: () => import("./pages/table.js") },
  replay: { name: "Replay", load: () => import("./pages/replay.js") },
  proof: { name: "Proof", load: () => import("./pages/proof.js") },
  operations: { name: "Operations", load: () => import("./pages/operations.js") },
};

const main = document.getElementById("main");
let leave = null;
let shown = null;

/** `{page, game, query}` of `#/replay/g42?v=12`. */
function place() {
  const [path, query] = location.hash.slice(1).split("?");
  const [page = "", game = ""] = path.split("/").filter(Boolean);
  return { page, game: decoded(game), query: new URLSearchParams(query) };
}

/** A part of an address in plain; as it stands where it is no proper one. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A token in the address is taken out of it before anything else, and out of the history. */
async function takeToken() {
  const bare = /^#token=([^&?]+)$/.exec(location.hash);
  const { query } = place();
  const token = bare?.[1] ?? query.get("token");
  if (!token) return;
  query.delete("token");
  const rest = query.size ? `?${query}` : "";
  history.replaceState(null, "", bare ? "#/" : location.hash.split("?")[0] + rest);
  try {
    await addToken(decoded(token));
  } catch (problem) {
    tell(problem);
  }
}

async function show() {
  if (location.hash === "#main") return;
  await takeToken();
  const where = place();
  const first = shown === null;
  const address = location.hash;
  shown = address;
  leave?.();
  leave = null;
  paintBar(where.page);
  const page = PAGES[where.page];
  const root = h("div");
  clear(main, root);
  if (!page) {
    clear(root, problemBox({ title: "There is no such page", detail: `“${where.page}” is none of this table's pages.` }, h("a", { class: "button", href: "#/" }, "To the lobby")));
    return;
  }
  document.title = [where.game, page.name, "fairdeal"].filter(Boolean).join(" · ");
  try {
    const { default: open } = await page.load();
    if (shown !== address) return;
    const left = open(root, where);
    leave = typeof left === "function" ? left : null;
  } catch (error) {
    console.error(error);
    clear(root, problemBox(error));
  }
  // Who navigates by ear hears the new page's heading; the first page is announced by the browser itself.
  const heading = root.querySelector("h1");
  if (heading && !first) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
}

// The bar

const ICONS = {
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  sun: "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 1.5v3M12 19.5v3M1.5 12h3M19.5 12h3M4.6 4.6l2.1 2.1M17.3 17.3l2.1 2.1M4.6 19.4l2.1-2.1M17.3 6.7l2.1-2.1",
  key: "M7.5 21a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM11.5 11.5 21 2M15.5 7.5l3.5 3.5 3-3-3.500-3.5",
};

const icon = (path) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linejoin": "round", "stroke-linecap": "round" }, svg("path", { d: path }));

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function paintBar(page = place().page) {
  const link = (name, text) =>
    h("a", { href: `#/${name}`, "aria-current": name === page ? "page" : null }, text);
  const held = tokens().length;
  const next = isDark() ? "light" : "dark";
  clear(
    document.getElementById("bar"),
    h("a", { class: "brand", href: "#/", "aria-label": "fairdeal: lobby" }, mark(), "fairdeal"),
    h(
      "nav",
      { "aria-label": "Pages" },
      link("", "Lobby"),
      tokenFor(["host"]) ? link("new", "New game") : null,
      link("proof", "Proof"),
      tokenFor(["host"]) ? link("operations", "Operations") : null,
    ),
    h(
      "div",
      { class: "tools" },
      h("button", { class: "quiet", onclick: openAccess, "data-key": "access" }, icon(ICONS.key), h("span", null, "Access"), held ? h("span", { class: "count", "aria-label": `${held} held` }, held) : null),
      h(
        "button",
        {
          class: "quiet icon",
          "aria-label": `Switch to ${next}`,
          title: `Switch to ${next}`,
          "data-key": "theme",
          onclick: () => {
            setTheme(next);
            localStorage.setItem("fairdeal.theme", next);
            paintBar();
            document.querySelector('[data-key="theme"]').focus();
          },
        },
        icon(isDark() ? ICONS.sun : ICONS.moon),
      ),
    ),
  );
}

function mark() {
  const line = { fill: "none", stroke: "var(--accent-ink)", "stroke-width": 2, "stroke-linejoin": "round" };
  return svg(
    "svg",
    { viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("rect", { width: 32, height: 32, rx: 8, fill: "var(--accent)" }),
    svg("path", { d: "M16 5.5 25.5 11v10L16 26.5 6.5 21V11z", ...line }),
    svg("path", { d: "M6.5 11 16 16.2 25.5 11M16 16.2v10", ...line }),
  );
}

setTheme(localStorage.getItem("fairdeal.theme"));
prefersDark.addEventListener("change", () => paintBar());
document.addEventListener("tokens", () => paintBar());
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", show);
window.addEventListener("unhandledrejection", (event) => tell(event.reason));
show();
