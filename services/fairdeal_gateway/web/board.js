/** What table and replay share: the game's drawing, the players, the outcome, and events in words. */

import { base } from "./api.js";
import { h } from "./dom.js";
import { games } from "./games/index.js";
import { copy } from "./say.js";
import { isBot, monogram, nameOf, namesOf, timeOf, titleOf } from "./words.js";

const styled = new Set();

/** The module that draws a ruleset's tables, with its style. Raises Error for one that has no drawing. */
export async function drawingOf(ruleset) {
  const game = nameOf(ruleset);
  if (!games[game]) throw new Error(`This page has no drawing for ${titleOf(ruleset)} yet; the command line shows it: fairdeal replay.`);
  for (const name of ["games", game]) {
    if (styled.has(name)) continue;
    styled.add(name);
    const onerror = (event) => (styled.delete(name), event.target.remove());
    document.head.append(h("link", { rel: "stylesheet", href: new URL(`web/games/${name}.css`, base).href, onerror }));
  }
  return games[game]();
}

/** What the games' drawings are given; `more`: the commit's table `before`, `links` of the outcome, choices `kept`. */
export const context = (view, more) => ({ names: namesOf(view.table.players), seat: view.seat ?? null, table: view.table, act: async () => {}, h, ...more });

/** A page's heading: the game's name, its id and what copies that. */
export function heading(game) {
  const name = h("span");
  return {
    name,
    node: h(
      "div",
      { class: "headline" },
      h("h1", null, name, " ", h("small", null, game)),
      h("button", { class: "quiet small", "aria-label": `Copy the id ${game}`, onclick: () => copy(game, "The game's id") }, "Copy"),
    ),
  };
}

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
        h("span", { class: "badge", "aria-hidden": "true" }, monogram(names, seat)),
        h("span", { class: "name", title: view.table.players[seat] }, name),
        own.includes(seat) ? h("span", { class: "muted small" }, "you") : isBot(view.table.players[seat]) ? h("span", { class: "muted small" }, "bot") : null,
        resigned ? h("span", { class: "tag bad" }, "resigned") : null,
        view.outcome?.winners.includes(seat) ? h("span", { class: "tag good" }, "won") : null,
        awaited ? h("span", { class: "tag warn" }, "to act") : null,
      );
    }),
  );
}

/** Who is waited for, in words. */
export function turnWords(view) {
  const names = namesOf(view.table.players);
  if (view.outcome) return `The game is over. Won by: ${view.outcome.winners.map((seat) => names[seat]).join(", ") || "nobody"}`;
  const others = view.to_act.filter((seat) => seat !== view.seat);
  const listed = new Intl.ListFormat("en").format(others.map((seat) => names[seat]));
  if (view.to_act.includes(view.seat)) return others.length ? `You and ${listed} are to act` : "Your turn";
  if (!others.length) return "Nobody is waited for";
  return `${listed} ${others.length === 1 ? "is" : "are"} to act`;
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

/** Put new content in place of the old, keeping the focus by `data-key`, with the caret where it was. */
export function replaceKeeping(node, content) {
  const active = document.activeElement;
  const key = node.contains(active) ? active.dataset.key : null;
  const caret = key && active.type === "text" ? active.selectionStart : null;
  node.replaceChildren(...(content ? [content] : []));
  if (!key) return;
  const again = node.querySelector(`[data-key="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
  if (caret !== null && again?.type === "text") again.setSelectionRange(caret, caret);
}
