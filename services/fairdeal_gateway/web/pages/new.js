/** A new game: its ruleset, who sits where, and the agreed rules. */

import { clear, h } from "../dom.js";
import { get, newId } from "../api.js";
import { copy, problemBox, tell } from "../say.js";
import { addToken, tokenFor } from "../session.js";
import { counted, titleOf } from "../words.js";
import { optionFields } from "./options.js";

const NAMES = ["ann", "bob", "cy", "dora", "eve", "finn", "gus", "hal"];
const DAY_S = 86_400;

export default function newGame(root) {
  const host = tokenFor(["host"]);
  clear(root, h("h1", null, "New game"));
  if (!host) {
    root.append(problemBox({ title: "A host token is needed", detail: "Only a host opens games. Add a host token under “Access”." }));
    return undefined;
  }
  const stop = new AbortController();
  get("rulesets", { signal: stop.signal })
    .then((rulesets) => form(root, rulesets, host))
    .catch((problem) => stop.signal.aborted || root.append(problemBox(problem)));
  return () => stop.abort();
}

function form(root, rulesets, host) {
  let ruleset = rulesets[0];
  let options = null;
  let seats = [];
  const seatList = h("ol", { class: "seats" });
  const seatTools = h("div", { class: "row" });
  const optionBox = h("div");
  const trouble = h("div");
  const minutes = h("input", { type: "number", min: 0, step: "any", inputmode: "decimal", placeholder: "no clock", "data-key": "clock" });
  const entropy = h("input", { maxlength: 256, value: newId().slice(0, 12), class: "mono", autocomplete: "off", spellcheck: "false", "data-key": "entropy" });
  const wantsAudit = h("input", { type: "checkbox", "data-key": "audit" });
  const submit = h("button", { class: "primary", "data-key": "open" }, "Open the game");

  const botName = (index) => NAMES.filter((name) => !seats.some((seat, at) => at !== index && seat.name === name))[0] ?? String(index + 1);
  const bestBot = () => ruleset.bots.find((name) => name !== "random") ?? ruleset.bots[0];

  function choose(name) {
    ruleset = rulesets.find((one) => one.name === name);
    const [least] = ruleset.seats;
    const you = seats.find((seat) => seat.who === "you")?.name ?? "me";
    seats = [{ who: "you", name: you }];
    while (seats.length < Math.max(least, Math.min(3, ruleset.seats[1]))) addSeat();
    options = optionFields(ruleset);
    clear(optionBox, options.node);
    paintSeats();
  }

  function addSeat() {
    seats.push({ who: `bot:${bestBot()}`, name: "" });
    seats.at(-1).name = botName(seats.length - 1);
  }

  function paintSeats() {
    const focused = document.activeElement?.dataset?.key;
    const [least, most] = ruleset.seats;
    clear(
      seatList,
      seats.map((seat, index) => {
        const label = `Seat ${index + 1}`;
        return h(
          "li",
          { class: `seat-${index % 6}` },
          h("span", { class: "row" }, h("span", { class: "dot" }), h("span", { class: "small" }, index + 1)),
          h(
            "select",
            {
              "aria-label": `${label}: who`,
              "data-key": `who:${index}`,
              value: seat.who,
              onchange: (event) => {
                seat.who = event.target.value;
                paintSeats();
              },
            },
            h("option", { value: "you" }, "You"),
            h("option", { value: "other" }, "Somebody else"),
            ruleset.bots.map((bot) => h("option", { value: `bot:${bot}` }, `Bot: ${bot}`)),
          ),
          h("input", {
            "aria-label": `${label}: name`,
            "data-key": `name:${index}`,
            value: seat.name,
            required: true,
            maxlength: 60,
            autocomplete: "off",
            oninput: (event) => (seat.name = event.target.value.trim()),
          }),
          h(
            "button",
            {
              type: "button",
              class: "quiet icon",
              "aria-label": `Take ${label} away`,
              disabled: seats.length <= least,
              onclick: () => {
                seats.splice(index, 1);
                paintSeats();
              },
            },
            "×",
          ),
        );
      }),
    );
    clear(
      seatTools,
      h("button", { type: "button", disabled: seats.length >= most, "data-key": "add-seat", onclick: () => (addSeat(), paintSeats()) }, "Add a seat"),
      h("span", { class: "muted small" }, least === most ? `${titleOf(ruleset.name)} is for ${counted(least, "player")}` : `${titleOf(ruleset.name)} is for ${least} to ${most} players`),
    );
    if (focused) root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  async function open(event) {
    event.preventDefault();
    clear(trouble);
    submit.disabled = true;
    try {
      const players = seats.map((seat) => ({
        id: seat.who.startsWith("bot:") ? `${seat.who}:${seat.name}` : seat.name,
        ...(seat.who === "you" && entropy.value ? { entropy: entropy.value } : {}),
      }));
      const body = { game: `${ruleset.name}-${newId().slice(0, 6)}`, ruleset: ruleset.name, players };
      const chosen = options.chosen();
      if (Object.keys(chosen).length) body.options = chosen;
      if (Number(minutes.value) > 0) body.clock = { turn_ms: Math.round(Number(minutes.value) * 60_000) };
      const { game } = await get("games", { token: host, json: body, headers: { "Idempotency-Key": newId() } });
      const mint = (what) => get("tokens", { token: host, json: { game, expires_s: DAY_S, ...what } });
      const guests = [];
      for (const [index, seat] of seats.entries()) {
        if (seat.who.startsWith("bot:")) continue;
        const { token } = await mint({ scope: "seat", seat: index });
        if (seat.who === "you") await addToken(token);
        else guests.push({ name: seat.name, link: new URL(`#/table/${game}?token=${token}`, document.baseURI).href });
      }
      if (wantsAudit.checked) await addToken((await mint({ scope: "audit" })).token);
      if (guests.length) invite(root, game, guests);
      else location.hash = `#/table/${game}`;
    } catch (problem) {
      if (problem.title === undefined) tell(problem);
      else clear(trouble, problemBox(problem));
      submit.disabled = false;
    }
  }

  root.append(
    h(
      "form",
      { class: "stack", onsubmit: open },
      h("p", { class: "lead" }, "You sit down with bots, with other people, or with both. The game begins at once."),
      h(
        "section",
        { class: "panel", role: "radiogroup", "aria-labelledby": "ruleset" },
        h("h2", { id: "ruleset" }, "Ruleset"),
        h(
          "div",
          { class: "choices" },
          rulesets.map((one, index) =>
            h(
              "label",
              null,
              h("input", { type: "radio", name: "ruleset", value: one.name, checked: index === 0, "data-key": `ruleset:${one.name}`, onchange: () => choose(one.name) }),
              h("strong", null, titleOf(one.name)),
              h("span", { class: "muted small" }, one.seats[0] === one.seats[1] ? `${one.seats[0]} players` : `${one.seats[0]} to ${one.seats[1]} players`),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "two" },
        h("section", { class: "panel stack" }, h("h2", null, "Seats, clockwise"), seatList, seatTools),
        h(
          "section",
          { class: "panel stack" },
          h("h2", null, "Clock and proof"),
          h("label", { class: "field" }, h("span", null, "Minutes for each move"), minutes),
          h("label", { class: "field" }, h("span", null, "What you add to the dealing: any text that the dealer cannot foresee"), entropy),
          h("label", { class: "check" }, wantsAudit, h("span", null, "An audit token too: see everything, and verify the game at its end")),
        ),
      ),
      h("section", { class: "panel" }, h("h2", null, "Agreed rules"), optionBox),
      trouble,
      h("div", { class: "row" }, submit),
    ),
  );
  choose(ruleset.name);
}

/** The links by which other people take their seats. */
function invite(root, game, guests) {
  clear(
    root,
    h(
      "div",
      { class: "stack" },
      h("h1", null, "The game is open"),
      h("p", { class: "lead" }, "Send each player their own link: whoever opens it plays that seat. The links are shown only now."),
      guests.map(({ name, link }) =>
        h(
          "div",
          { class: "panel row" },
          h("label", { class: "field grow" }, h("span", null, name), h("input", { readonly: true, value: link, class: "mono" })),
          h("button", { onclick: () => copy(link, `The link for ${name}`) }, "Copy"),
        ),
      ),
      h("div", { class: "row" }, h("a", { class: "button primary", href: `#/table/${game}` }, "To the table")),
    ),
  );
}
