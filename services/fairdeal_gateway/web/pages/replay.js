/** A game step by step, through the eyes that one's tokens give. */

import { clear, h, svg } from "../dom.js";
import { at, gamePath, get } from "../api.js";
import { openAccess } from "../access.js";
import { context, drawingOf, feedLines, heading, playersStrip, replaceKeeping, turnWords } from "../board.js";
import { copy, problemBox } from "../say.js";
import { viewers } from "../session.js";
import { namesOf, timeOf, titleOf } from "../words.js";
import { eyesWords } from "./table.js";

const CHUNK = 100;
const LIVE_MS = 3000;
const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP_MS = 1400;
const CONTEXT = 6;

export default function replay(root, { game, query }) {
  const all = viewers(game, 32);
  let viewer = all.find((one) => one.as === query.get("as")) ?? all[0];
  if (!viewer) {
    clear(root, h("h1", null, game || "Replay"), problemBox({ title: "A token for this game is needed", detail: "Follow the link that the game's host gave you, or add a token." }, h("button", { onclick: openAccess }, "Add a token")));
    return undefined;
  }
  const stop = new AbortController();
  let chunks = new Map();
  let head = 0;
  let version = Math.max(1, Number(query.get("v")) || 1);
  let step = null;
  let playing = null;
  let speed = 1;
  let drawing = null;
  let asked = 0;
  let finished = false;
  let noting = null;

  const title = heading(game);
  const eyes = h("div", { class: "row" });
  const players = h("div");
  const turn = h("p", { class: "row" });
  const board = h("section", { class: "board main", "aria-label": "Table" }, h("p", { class: "empty" }, "Laying the table …"));
  const feed = h("ol", { class: "feed", "aria-live": "polite", "aria-label": "Events up to this moment", tabindex: 0 });
  const trouble = h("div");
  const slider = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Version", oninput: () => go(Number(slider.value)) });
  const where = h("output", { class: "moment" });
  const button = (label, shape, act, key) => h("button", { class: "icon", "aria-label": label, title: `${label} (${key})`, onclick: act }, glyph(shape));
  const play = h("button", { class: "primary play", onclick: toggle });
  const pace = h(
    "select",
    { "aria-label": "Speed", value: speed, onchange: (event) => ((speed = Number(event.target.value)), playing && start()) },
    SPEEDS.map((one) => h("option", { value: one }, `${one}×`)),
  );

  clear(
    root,
    h(
      "div",
      { class: "head" },
      title.node,
      h("span", { class: "grow" }),
      h("div", { class: "row" }, eyes, h("a", { class: "button", href: `#/table/${game}` }, "Table"), h("a", { class: "button", href: `#/proof/${game}` }, "Proof")),
    ),
    trouble,
    h("div", { class: "above" }, players, turn),
    h("div", { class: "table-grid" }, board, h("section", { class: "panel aside whole" }, h("h2", null, "What happened"), feed)),
    h(
      "section",
      { class: "transport", "aria-label": "Replay controls" },
      slider,
      h(
        "div",
        { class: "row" },
        button("First", "first", () => go(1), "Home"),
        button("Previous event", "event-back", () => stepEvent(-1), "Shift and left arrow"),
        button("Previous commit", "back", () => go(version - 1), "left arrow"),
        play,
        button("Next commit", "on", () => go(version + 1), "right arrow"),
        button("Next event", "event-on", () => stepEvent(1), "Shift and right arrow"),
        button("Last", "last", () => go(head), "End"),
        where,
        pace,
        h("button", { onclick: () => copy(address().href, "The link to this moment"), title: "A link to this moment" }, "Copy link"),
      ),
      h("p", { class: "muted small wide-only" }, "Keys: ", h("kbd", null, "←"), " ", h("kbd", null, "→"), " commits, with ", h("kbd", null, "Shift"), " events, ", h("kbd", null, "Space"), " plays and pauses, ", h("kbd", null, "Home"), " ", h("kbd", null, "End")),
    ),
  );
  paintPlay();

  const address = () => new URL(`#${at(`/replay/${game}`, { v: version, as: viewer.as })}`, document.baseURI);

  /** The frame of a version, fetched with its neighbours; null past the end. */
  function frame(number) {
    const place = Math.floor((number - 1) / CHUNK);
    const known = chunks.get(place);
    if (known && number <= known.last) return known.coming.then((found) => found.get(number) ?? null);
    const from = place * CHUNK + 1;
    const path = at(gamePath(game, "replay"), { from, to: from + CHUNK - 1, as: viewer.as });
    // Until it is here it may hold everything; of a running game the newest chunk may not be whole yet.
    const chunk = { last: Infinity, coming: null };
    chunk.coming = get(path, { token: viewer.token, signal: stop.signal }).then((page) => {
      head = Math.max(head, page.head);
      chunk.last = page.frames.at(-1)?.version ?? from - 1;
      return new Map(page.frames.map((one) => [one.version, one]));
    });
    chunk.coming.catch(() => chunks.delete(place));
    chunks.set(place, chunk);
    return chunk.coming.then((found) => found.get(number) ?? null);
  }

  /** Show a version; `event`, when given, is the one of its events that is stepped to. */
  async function go(number, event = null) {
    const ticket = ++asked;
    let wanted = Math.max(1, head ? Math.min(number, head) : number);
    try {
      let shown = await frame(wanted);
      if (!shown && head && wanted > head) shown = await frame((wanted = head));
      if (ticket !== asked || stop.signal.aborted || !shown) return;
      version = wanted;
      step = event === -1 ? Math.max(0, shown.events.length - 1) : event;
      drawing ??= await drawingOf(shown.view.ruleset);
      const before = [];
      for (let near = Math.max(1, version - CONTEXT); near < version; near++) before.push(await frame(near));
      if (ticket !== asked || stop.signal.aborted) return;
      clear(trouble);
      paint(shown, before.filter(Boolean));
      if (version < head) frame(version + 1).catch(() => {});
      clearTimeout(noting);
      noting = setTimeout(() => history.replaceState(null, "", address()), 200);
    } catch (problem) {
      if (stop.signal.aborted || ticket !== asked) return;
      pause();
      if (problem.title === undefined) console.error(problem);
      clear(trouble, problemBox(problem));
    }
  }

  async function stepEvent(direction) {
    pause();
    const shown = await frame(version).catch(() => null);
    const last = (shown?.events.length ?? 1) - 1;
    const next = (step ?? (direction > 0 ? -1 : last + 1)) + direction;
    if (next >= 0 && next <= last) return go(version, next);
    if (direction > 0 && version < head) return go(version + 1, 0);
    if (direction < 0 && version > 1) return go(version - 1, -1);
    return undefined;
  }

  function paint(shown, before) {
    const { view } = shown;
    finished ||= view.outcome !== null;
    title.name.textContent = titleOf(view.ruleset);
    slider.max = head;
    slider.value = version;
    slider.setAttribute("aria-valuetext", `Version ${version} of ${head}`);
    where.textContent = `${version} / ${head}`;
    clear(players, playersStrip(view, []));
    clear(turn, h("strong", null, turnWords({ ...view, seat: null })), h("span", { class: "muted small" }, timeOf(shown.at)), viewer.as === "audit" ? h("span", { class: "muted small" }, "The table shows what all see, the events tell everything.") : null);
    replaceKeeping(board, drawing.draw(view, context(view)));
    const told = [...before, shown].flatMap((one, at) => feedLines(one, drawing, context(one.view, { before: before[at - 1]?.view.table })));
    for (const line of told) {
      const current = Number(line.dataset.version) === version && (step === null || Number(line.dataset.event) === step);
      if (current) line.setAttribute("aria-current", "step");
    }
    clear(feed, told);
    const current = feed.querySelector("[aria-current]");
    if (current) feed.scrollTop = current.offsetTop - feed.offsetTop - 40;
    paintEyes(view);
    if (playing && version >= head && finished) pause();
  }

  function paintEyes(view) {
    const names = namesOf(view.table.players);
    const can = viewers(game, names.length);
    const focused = eyes.contains(document.activeElement);
    clear(
      eyes,
      h(
        "select",
        { "aria-label": "Seen by", value: viewer.as, disabled: can.length < 2, onchange: (event) => see(can.find((one) => one.as === event.target.value)) },
        can.map((one) => h("option", { value: one.as }, eyesWords(one, names))),
      ),
    );
    if (focused) eyes.firstChild.focus();
  }

  function see(other) {
    viewer = other;
    chunks = new Map();
    go(version, step);
  }

  function start() {
    clearInterval(playing);
    playing = setInterval(() => (version < head ? go(version + 1) : finished && pause()), STEP_MS / speed);
    paintPlay();
  }

  function pause() {
    if (playing) clearInterval(playing);
    playing = null;
    paintPlay();
  }

  function toggle() {
    if (playing) return pause();
    if (version >= head && finished) go(1);
    return start();
  }

  function paintPlay() {
    const name = playing ? "Pause" : "Play";
    clear(play, glyph(name.toLowerCase()), h("span", null, name));
    play.setAttribute("aria-label", name);
    play.title = `${name} (Space)`;
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { target } = event;
    if (target.closest("dialog, select, textarea, input:not([type=range])")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const keys = {
      ArrowRight: () => (event.shiftKey ? stepEvent(1) : (pause(), go(version + 1))),
      ArrowLeft: () => (event.shiftKey ? stepEvent(-1) : (pause(), go(version - 1))),
      Home: () => go(1),
      End: () => go(head),
      " ": toggle,
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** A game that still runs grows: look for what came. */
  const growing = setInterval(async () => {
    if (finished || document.hidden || !head) return;
    const known = head;
    await frame(head + 1).catch(() => {});
    if (head > known) {
      slider.max = head;
      where.textContent = `${version} / ${head}`;
    }
  }, LIVE_MS);

  document.addEventListener("keydown", onKey);
  // With a moment to go to, the head is known with its chunk.
  go(version);
  return () => {
    stop.abort();
    clearInterval(playing);
    clearInterval(growing);
    clearTimeout(noting);
    document.removeEventListener("keydown", onKey);
  };
}

const SHAPES = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  on: "M8 5v14l9-7z",
  back: "M16 5v14l-9-7z",
  first: "M18 5v14l-9-7zM6 5h2.5v14H6z",
  last: "M6 5v14l9-7zM15.5 5H18v14h-2.5z",
  "event-on": "M5 9.5v5h6v3.5l6-6-6-6v3.5z",
  "event-back": "M19 9.5v5h-6v3.5l-6-6 6-6v3.5z",
};

const glyph = (name) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", fill: "currentColor" }, svg("path", { d: SHAPES[name] }));
