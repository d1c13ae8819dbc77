/** What table and replay share: the game's drawing, the players, the outcome, and events in words. */

import { base } from "./api.js";
import { h } from "./dom.js";
import { games } from "./games/index.js";
import { counted, inWords, isBot, nameOf, namesOf, outcomeWords, timeOf, titleOf } from "./words.js";

let styled = false;

/** The module that draws a ruleset's tables, with its style. Raises Error for one that has no drawing. */
export async function drawingOf(ruleset) {
  if (!styled) {
    styled = true;
    document.head.append(h("link", { rel: "stylesheet", href: new URL("web/games/games.css", base).href }));
  }
  const load = games[nameOf(ruleset)];
  if (!load) throw new Error(`This page has no drawing for ${titleOf(ruleset)} yet; the command line shows it: fairdeal replay.`);
  return load();
}

/** What the games' drawings are given. */
export const context = (view, act) => ({ names: namesOf(view.table.players), seat: view.seat ?? null, act, h });

/** The players, clockwise: who is waited for, who has given up. */
export function playersStrip(view, own) {
  const names = namesOf(view.table.players);
  return h(
    "ul",
    { class: "players", "aria-label": "Players, clockwise" },
    names.map((name, seat) => {
      const awaited = view.to_act.includes(seat) && !view.outcome;
      const resigned = view.table.resigned.includes(seat);
      return h(
        "li",
        { class: [`seat-${seat % 6}`, resigned && "out"], "data-awaited": awaited },
        h("span", { class: "badge", "aria-hidden": "true" }, seat + 1),
        h("span", { class: "name", title: view.table.players[seat] }, name),
        own.includes(seat) ? h("span", { class: "tag accent" }, "you") : isBot(view.table.players[seat]) ? h("span", { class: "muted small" }, "bot") : null,
        resigned ? h("span", { class: "tag bad" }, "resigned") : null,
        view.outcome?.winners.includes(seat) ? h("span", { class: "tag good" }, "won") : null,
        awaited ? h("span", { class: "tag warn" }, "to act") : null,
      );
    }),
  );
}

/** Who is waited for, in words. */
export function turnWords(view) {
  if (view.outcome) return "The game is over";
  const names = namesOf(view.table.players);
  const others = view.to_act.filter((seat) => seat !== view.seat);
  const listed = new Intl.ListFormat("en").format(others.map((seat) => names[seat]));
  if (view.to_act.includes(view.seat)) return others.length ? `You and ${listed} are to act` : "Your turn";
  if (!others.length) return "Nobody is waited for";
  return `${listed} ${others.length === 1 ? "is" : "are"} to act`;
}

export const phaseWords = (view) => inWords(view.phase);

/** How the game ended, in short: the drawing shows places and scores. Null while it runs. */
export function outcomeBox(view, ...links) {
  const { outcome } = view;
  if (!outcome) return null;
  const names = namesOf(view.table.players);
  return h(
    "section",
    { class: "result", "aria-label": "Outcome" },
    h("div", null, h("h2", null, outcomeWords(outcome, names)), h("p", { class: "muted" }, `${inWords(outcome.reason)} · ${counted(view.version, "commit")}`)),
    links.length ? h("div", { class: "row" }, links) : null,
  );
}

/** One frame's events as lines of the feed, its time first. Events that have no sentence are left out. */
export function feedLines(frame, drawing, ctx) {
  const lines = frame.events.map((event, index) => {
    const text = drawing.sentence(event, ctx);
    if (!text) return null;
    const seat = Number.isInteger(event.seat) ? `seat-${event.seat % 6}` : "";
    return h("li", { "data-version": frame.version, "data-event": index }, h("span", { class: ["dot", seat] }), h("span", null, text));
  });
  return lines.filter(Boolean);
}

/** The line that tells when the lines after it happened. */
export const whenLine = (frame) => h("li", { class: "when-line", "data-version": frame.version }, h("span"), h("span", { class: "when" }, `${timeOf(frame.at)} · ${frame.version}`));

/** Put new content in place of the old, keeping the focus and what was typed by `data-key`. */
export function replaceKeeping(node, content) {
  const active = document.activeElement;
  const key = node.contains(active) ? active.dataset.key : null;
  const typed = new Map();
  for (const control of node.querySelectorAll("[data-key][data-typed]")) {
    typed.set(control.dataset.key, control.type === "checkbox" || control.type === "radio" ? control.checked : control.value);
  }
  node.replaceChildren(...(content ? [content] : []));
  for (const [name, value] of typed) restore(node.querySelector(`[data-key="${CSS.escape(name)}"]`), value);
  if (key) node.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function restore(control, value) {
  if (!control || control.disabled) return;
  const ticks = control.type === "checkbox" || control.type === "radio";
  const before = ticks ? control.checked : control.value;
  if (before === value) return;
  if (ticks) control.checked = value;
  else control.value = value;
  // A value that the new offer does not allow is not carried over.
  if (!ticks && (control.value !== value || !control.checkValidity())) {
    control.value = before;
    return;
  }
  control.dataset.typed = "";
  for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Note which controls somebody has touched, for `replaceKeeping`. */
export function markTyped(node) {
  node.addEventListener("input", (event) => {
    if (event.isTrusted) event.target.dataset.typed = "";
  });
}
