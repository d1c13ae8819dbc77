/** The table of one game, live: its drawing, the seat's own moves, the clock, what happened. */

import { clear, h } from "../dom.js";
import { at, gamePath, get, newId, now } from "../api.js";
import { openAccess } from "../access.js";
import { context, drawingOf, feedLines, heading, playersStrip, replaceKeeping, turnWords, whenLine } from "../board.js";
import { ask, problemBox, tell } from "../say.js";
import { viewers } from "../session.js";
import { follow } from "../stream.js";
import { countdown, counted, namesOf, titleOf } from "../words.js";

const HISTORY = 30;
const LINES = 250;
/** How often, a second apart, a drawing is asked for that a gateway which has just gone cannot send. */
const PATIENCE = 60;
const STATES = { connecting: "Connecting …", live: "Live", ended: "The game is over", refused: "Not connected" };

export default function table(root, { game, query }) {
  const wanted = query.get("as");
  const first = viewers(game);
  const viewer = first.find((one) => one.as === wanted) ?? (wanted ? viewers(game, 32).find((one) => one.as === wanted) : null) ?? first[0];
  if (!viewer) {
    clear(root, h("h1", null, game || "Table"), problemBox({ title: "A token for this game is needed", detail: "Follow the link that the game's host gave you, or add a token." }, h("button", { onclick: openAccess }, "Add a token")));
    return undefined;
  }
  const stop = new AbortController();
  let view = null;
  let drawing = null;
  let busy = null;
  let queue = Promise.resolve();
  /** The time of the newest line that tells one. */
  let dated = 0;
  /** The table before the newest line: what left it since is still called by name. */
  let before = null;
  /** The choices that are half made. */
  const kept = {};

  const title = heading(game);
  const eyes = h("div", { class: "row" });
  const state = h("span", { class: "link-state", role: "status" });
  const players = h("div");
  // The drawing shows whose turn it is; this says it.
  const turn = h("span", { class: "visually-hidden", role: "status" });
  const clock = h("span", { class: "clock", role: "timer", hidden: true });
  const board = h("section", { class: "board main", "aria-label": "Table" }, h("p", { class: "empty" }, "Laying the table …"));
  const moves = h("section", { class: "moves", "aria-label": "Your moves", hidden: true });
  const told = h("ol");
  const feed = h("div", { class: "feed", role: "log", "aria-live": "polite", "aria-relevant": "additions", "aria-label": "What happened", tabindex: 0 }, told);
  const trouble = h("div");
  const resign = h("button", { class: "danger", hidden: true, onclick: giveUp }, "Resign");

  clear(
    root,
    h(
      "div",
      { class: "head" },
      title.node,
      h("span", { class: "grow" }),
      state,
      h(
        "div",
        { class: "row" },
        eyes,
        h("a", { class: "button", href: `#/replay/${game}${wanted ? `?as=${wanted}` : ""}` }, "Replay"),
        h("a", { class: "button", href: `#/proof/${game}` }, "Proof"),
      ),
    ),
    trouble,
    h("div", { class: "above" }, players, h("div", { class: "row" }, turn, clock, resign)),
    h("div", { class: "table-grid live" }, board, moves, h("section", { class: "panel aside" }, h("h2", null, "What happened"), feed)),
  );

  async function act(action) {
    if (busy) return false;
    const seen = view.version;
    const sent = { until: Infinity };
    busy = sent;
    moves.setAttribute("aria-busy", "true");
    try {
      const receipt = await get(gamePath(game, "commands"), {
        token: viewer.token,
        json: { action, expect: seen },
        headers: { "Idempotency-Key": newId() },
      });
      // The move shows when its own frame comes; until then no second one is sent.
      sent.until = receipt.version;
      if (view.version >= sent.until) free();
      else setTimeout(() => busy === sent && free(), 5000);
      return true;
    } catch (problem) {
      free();
      tell(problem);
      return false;
    }
  }

  function free() {
    busy = null;
    moves.removeAttribute("aria-busy");
  }

  async function giveUp() {
    const sure = await ask("Resign from this game?", "You give up your seat's chances for good. The others play on, or the game ends.", "Resign");
    if (!sure) return;
    try {
      await get(gamePath(game, "commands"), { token: viewer.token, json: { action: { type: "game.resign" } }, headers: { "Idempotency-Key": newId() } });
    } catch (problem) {
      tell(problem);
    }
  }

  async function onFrame(frame) {
    if (stop.signal.aborted) return;
    view = frame.view;
    if (!drawing) {
      drawing = await patiently(() => drawingOf(view.ruleset));
      if (stop.signal.aborted) return;
      paintEyes();
      await history(frame.version);
    } else {
      add([frame]);
    }
    if (busy && view.version >= busy.until) free();
    paint();
  }

  function paint() {
    const links = [h("a", { class: "button primary", href: `#/replay/${game}` }, "Watch the replay"), h("a", { class: "button", href: `#/proof/${game}` }, "Check the dealing")];
    const ctx = context(view, { act, kept, links });
    title.name.textContent = titleOf(view.ruleset);
    const own = viewers(game).filter((one) => one.acts).map((one) => one.seat);
    clear(players, playersStrip(view, own));
    turn.textContent = turnWords(view);
    document.title = `${view.to_act.includes(view.seat) && !view.outcome ? "Your turn · " : ""}${titleOf(view.ruleset)} · ${game} · fairdeal`;
    replaceKeeping(board, drawing.draw(view, ctx));
    const mine = viewer.acts && !view.outcome;
    resign.hidden = !mine || view.table.resigned.includes(viewer.seat);
    const offers = mine && view.offers.length > 0;
    moves.hidden = !mine;
    replaceKeeping(moves, !mine ? null : offers ? drawing.controls(view, ctx) : h("p", { class: "panel muted" }, "You have no move now."));
    tick();
  }

  function paintEyes() {
    const all = viewers(game, view.table.players.length);
    if (viewer.delayed) {
      const { delay_commits: commits, delay_s: seconds } = viewer.delayed;
      const late = [commits ? counted(commits, "commit") : null, seconds ? counted(seconds, "second") : null].filter(Boolean);
      clear(eyes, h("span", { class: "tag warn" }, `${late.join(" and ")} late`));
    }
    if (all.length < 2) return;
    const names = namesOf(view.table.players);
    eyes.append(
      h(
        "select",
        { "aria-label": "Seen by", value: viewer.as, onchange: (event) => (location.hash = `#${at(`/table/${game}`, { as: event.target.value })}`) },
        all.map((one) => h("option", { value: one.as }, eyesWords(one, names))),
      ),
    );
  }

  /** The lines before the first frame, so that nobody comes to a silent table. */
  async function history(version) {
    try {
      const path = at(gamePath(game, "replay"), { from: Math.max(1, version - HISTORY), to: version, as: viewer.as });
      const { frames } = await get(path, { token: viewer.token, signal: stop.signal });
      add(frames);
    } catch (problem) {
      if (!stop.signal.aborted) tell(problem);
    }
  }

  function add(frames) {
    const near = feed.scrollHeight - feed.scrollTop - feed.clientHeight < 60;
    const lines = frames.flatMap((frame) => {
      const sentences = feedLines(frame, drawing, context(frame.view, { before }));
      before = frame.view.table;
      if (!sentences.length || frame.at - dated < 60_000) return sentences;
      dated = frame.at;
      return [whenLine(frame), ...sentences];
    });
    told.append(...lines);
    while (told.children.length > LINES) told.firstChild.remove();
    if (near || frames.length > 1) feed.scrollTop = feed.scrollHeight;
  }

  function tick() {
    const left = view?.deadline && !view.outcome ? view.deadline - now() : null;
    clock.hidden = left === null;
    if (left === null) return;
    clock.textContent = countdown(left);
    clock.classList.toggle("low", left < 10_000);
    clock.setAttribute("aria-label", `${countdown(left)} left`);
  }

  const ticking = setInterval(tick, 500);
  const stream = follow(game, {
    as: viewer.as,
    token: viewer.token,
    onFrame: (frame) => {
      // One after another: the first waits for the drawing and the history.
      queue = queue.then(() => onFrame(frame)).catch((error) => {
        console.error(error);
        clear(trouble, problemBox(error));
      });
    },
    onState: (name, detail) => {
      state.dataset.state = name;
      state.textContent = name === "retry" ? `Reconnecting in ${detail} s` : STATES[name];
      if (name === "refused") {
        clear(trouble, problemBox(detail, h("button", { onclick: openAccess }, "Access")));
        clear(board, h("p", { class: "empty" }, "There is nothing to show."));
      }
    },
  });
  return () => {
    stop.abort();
    clearInterval(ticking);
    stream.close();
  };
}

/** What `load` brings, asked again while its files cannot be fetched. Raises its last error. */
async function patiently(load) {
  for (let left = PATIENCE; ; left--) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof TypeError) || !left) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Whose eyes, in words. */
export function eyesWords(one, names) {
  if (one.as === "table") return "Seen by all";
  if (one.as === "audit") return "Everything (audit)";
  return `${names[one.seat] ?? `Seat ${one.seat + 1}`}${one.acts ? " (you)" : "’s eyes"}`;
}
