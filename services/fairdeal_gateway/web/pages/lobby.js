/** The lobby: every game by status and ruleset, with live counts. */

import { clear, h } from "../dom.js";
import { at, get, now } from "../api.js";
import { openAccess } from "../access.js";
import { problemBox } from "../say.js";
import { tokenFor, tokens } from "../session.js";
import { STATUS, counted, isBot, moment, nameOf, namesOf, titleOf } from "../words.js";

const EVERY_MS = 3000;
const MOST = 500;
const STEP = 40;

export default function lobby(root) {
  const token = tokenFor(["host", "audit"]);
  if (!token) return void clear(root, welcome());
  const wanted = { status: "", ruleset: "", text: "" };
  let games = [];
  let more = null;
  let narrowed = null;
  let room = STEP;
  let timer = null;
  const stop = new AbortController();

  const filters = h("div", { class: "filters stack" });
  const list = h("ul", { class: "games" });
  const said = h("p", { class: "muted small", role: "status" });
  const rest = h("div", { class: "row" });
  const trouble = h("div");
  clear(
    root,
    h(
      "div",
      { class: "head" },
      h("h1", null, "Lobby"),
      tokenFor(["host"]) ? h("a", { class: "button primary", href: "#/new" }, "New game") : null,
    ),
    h(
      "div",
      { class: "lobby-grid" },
      h(
        "section",
        { class: "stack", "aria-label": "Filter" },
        h("label", { class: "field" }, h("span", null, "Game or player"), h("input", { type: "search", oninput: (event) => choose({ text: event.target.value.trim().toLowerCase() }) })),
        filters,
      ),
      h("section", { class: "stack", "aria-label": "Games" }, said, trouble, list, rest),
    ),
  );

  function choose(change) {
    Object.assign(wanted, change);
    room = STEP;
    narrowed = null;
    paint();
    if (more) look();
  }

  const fits = (game, { status, ruleset, text }) =>
    (!status || game.status === status) &&
    (!ruleset || nameOf(game.ruleset) === ruleset) &&
    (!text || [game.game, ...game.players].some((part) => part.toLowerCase().includes(text)));

  /** A filter's choices with how many games each would show, the other filters being as they are. */
  function choices(key, legend, values) {
    const count = (value) => games.filter((game) => fits(game, { ...wanted, [key]: value })).length;
    return h(
      "fieldset",
      null,
      h("legend", null, legend),
      h(
        "div",
        { class: "chips" },
        values.map(([value, text]) =>
          h(
            "label",
            null,
            h("input", { type: "radio", name: key, value, checked: wanted[key] === value, "data-key": `${key}:${value}`, onchange: () => choose({ [key]: value }) }),
            h("span", null, text),
            h("span", { class: "count" }, count(value) + (more ? "+" : "")),
          ),
        ),
      ),
    );
  }

  function paint() {
    const focused = document.activeElement?.dataset?.key;
    const rulesets = [...new Set(games.map((game) => nameOf(game.ruleset)))].sort();
    if (wanted.ruleset && !rulesets.includes(wanted.ruleset)) rulesets.push(wanted.ruleset);
    clear(
      filters,
      choices("status", "Status", [["", "All"], ...Object.entries(STATUS).map(([value, [text]]) => [value, text])]),
      choices("ruleset", "Ruleset", [["", "All"], ...rulesets.map((name) => [name, titleOf(name)])]),
    );
    const found = (narrowed ?? games).filter((game) => fits(game, wanted));
    said.textContent = `${counted(found.length, "game")}${more ? " or more" : ""}`;
    clear(list, found.slice(0, room).map(entry));
    if (!found.length) {
      clear(list, h("li", { class: "empty" }, games.length ? "No game fits this filter." : "No game has been opened yet."));
    }
    clear(
      rest,
      found.length > room
        ? h("button", { "data-key": "more", onclick: () => ((room += STEP), paint()) }, `Show ${Math.min(STEP, found.length - room)} more`)
        : null,
    );
    if (focused) root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  async function look() {
    clearTimeout(timer);
    try {
      if (!document.hidden || !games.length) {
        const page = await get(at("games", { limit: MOST }), { token, signal: stop.signal });
        const { status, ruleset } = wanted;
        // What does not fit on one page is asked for by the filter itself.
        const narrow = page.next && (status || ruleset);
        const own = narrow ? await get(at("games", { status, ruleset, limit: MOST }), { token, signal: stop.signal }) : null;
        games = page.games;
        more = page.next;
        if (status === wanted.status && ruleset === wanted.ruleset) narrowed = own?.games ?? null;
        clear(trouble);
        paint();
      }
    } catch (problem) {
      if (stop.signal.aborted) return;
      clear(trouble, problemBox(problem));
      if ([401, 403].includes(problem.status)) return;
    }
    if (!stop.signal.aborted) timer = setTimeout(look, EVERY_MS);
  }

  look();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

function entry(game) {
  const names = namesOf(game.players);
  const [text, kind] = STATUS[game.status];
  const running = game.status === "playing" || game.status === "waiting";
  const link = running ? `#/table/${game.game}` : `#/replay/${game.game}`;
  return h(
    "li",
    { "data-game": game.game, "data-status": game.status },
    h(
      "div",
      null,
      h("h3", null, h("a", { href: link, "data-key": `game:${game.game}` }, titleOf(game.ruleset), " ", h("small", null, game.game))),
      h("p", { class: "muted small" }, moment(game.updated_at, now()), " · ", counted(game.version, "commit")),
    ),
    h(
      "ul",
      { class: "people", "aria-label": "Players" },
      names.map((name, seat) => {
        const won = game.winners?.includes(seat);
        return h("li", { class: `seat-${seat % 6}` }, h("span", { class: "dot" }), name, isBot(game.players[seat]) ? h("span", { class: "muted small" }, "bot") : null, won ? h("span", { class: "tag good" }, "won") : null);
      }),
    ),
    h(
      "div",
      { class: "row" },
      h("span", { class: ["tag", kind] }, text),
      h("a", { class: "button", href: `#/table/${game.game}`, "aria-label": `Table of ${game.game}` }, "Table"),
      h("a", { class: "button", href: `#/replay/${game.game}`, "aria-label": `Replay of ${game.game}` }, "Replay"),
      h("a", { class: "button", href: `#/proof/${game.game}`, "aria-label": `Proof of ${game.game}` }, "Proof"),
    ),
  );
}

function welcome() {
  const held = tokens().filter((one) => one.game);
  const mine = [...new Set(held.map((one) => one.game))];
  return h(
    "div",
    { class: "stack" },
    h("h1", null, mine.length ? "Your games" : "Welcome to the table"),
    mine.length
      ? h("ul", { class: "games" }, mine.map((game) => h("li", null, h("h3", null, h("a", { href: `#/table/${game}` }, game)), h("span"), h("div", { class: "row" }, ["table", "replay", "proof"].map((page) => h("a", { class: "button", href: `#/${page}/${game}` }, page[0].toUpperCase() + page.slice(1)))))))
      : h("p", { class: "lead" }, "Games of bluffing, bidding and haggling, dealt so that anybody can check. To see one, follow the link that its host gave you, or add a token."),
    h(
      "div",
      { class: "row" },
      h("button", { class: mine.length ? "" : "primary", onclick: openAccess }, "Add a token"),
      h("a", { class: "button", href: "#/proof" }, "Check an exported game"),
    ),
    mine.length ? h("p", { class: "muted" }, "The list of all games is for hosts and auditors.") : null,
  );
}
