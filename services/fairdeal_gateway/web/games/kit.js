/** What the drawn tables share: words, seats, cards and dice, and controls that can only form what is offered. */

import { clear, h, svg } from "../dom.js";
import { counted, monogram, titleOf } from "../words.js";

// Words

export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
export const listed = (words, last = "and") =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}` : words.join("");
export const number = (amount) => amount.toLocaleString("en");
export const signed = (amount) => (amount < 0 ? `−${number(-amount)}` : `+${number(amount)}`);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
export const range = (count) => Array.from({ length: count }, (_, index) => index);
/** The pairs of an object whose keys are numbers. */
export const numbered = (record) => Object.entries(record).map(([key, value]) => [Number(key), value]);
/** A multiset without what is not there. */
export const some = (counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
export const size = (counts) => sum(Object.values(counts));

function end(outcome, names) {
  if (!outcome.winners.length) return `Nobody wins: ${outcome.reason.replaceAll("_", " ")}.`;
  const order = range(names.length).sort((a, b) => outcome.places[a] - outcome.places[b]);
  const verb = outcome.winners.length === 1 ? "wins" : "win";
  const places = order.map((seat) => `${outcome.places[seat]}. ${names[seat]}`).join(", ");
  return `${listed(outcome.winners.map((seat) => names[seat]))} ${verb}. ${places}.`;
}

const duration = (ms) => (ms % 60_000 ? `${number(ms / 1000)} s` : `${number(ms / 60_000)} min`);

const COMMON = {
  "game.created": (e, who, ctx) =>
    `${titleOf(e.ruleset)} for ${listed(ctx.names)}${e.clock ? `, ${duration(e.clock.turn_ms)} a turn` : ""}. ` +
    `The dealer commits to a seed: ${e.commitment.slice(0, 12)}…`,
  "game.started": () => "All are there, the game starts.",
  "game.readied": (e, who) => `${who(e.seat)} is there.`,
  "game.resigned": (e, who) => `${who(e.seat)} resigns.`,
  "game.reseated": (e) => `${e.player} takes seat ${e.seat + 1}.`,
  "game.cancelled": (e) => `The game is called off: ${e.reason}.`,
  "game.finished": (e, who, ctx) =>
    `${end(e.outcome, ctx.names)} The dealer reveals the seed: ${e.seed.slice(0, 12)}…`,
  "clock.ran_out": (e, who) => `Time runs out for ${listed(e.seats.map(who))}.`,
};

/** One event in words by a game's own sentences, `{dudo_called: (event, who) => …}`; "" for no word. */
export function tell(event, ctx, sentences) {
  const who = (seat) => ctx.names[seat];
  const told = COMMON[event.type] ?? sentences[event.type.split(".")[1]];
  return told?.(event, who, ctx) ?? "";
}

// Seats

export function badge(ctx, seat) {
  return h(
    "span",
    { class: "g-badge", title: ctx.names[seat], "aria-hidden": "true", style: { "--c": `var(--seat-${seat % 6})` } },
    monogram(ctx.names, seat),
  );
}

export const who = (ctx, seat) => h("span", { class: "g-who" }, badge(ctx, seat), ctx.names[seat]);

/** The seats clockwise, the viewer's own first. */
export function seats(view, ctx) {
  const count = ctx.names.length;
  return range(count).map((step) => (step + (view.seat ?? 0)) % count);
}

export const tag = (text, tone = "") => h("span", { class: ["g-tag", tone && `g-${tone}`] }, text);

/** A seat's place at the table: name, notes (texts or tags, falsy ones left out) and what lies there. */
export function place(view, ctx, seat, { notes = [], figure = null, out = false }, ...inside) {
  const turn = view.to_act.includes(seat);
  return h(
    "section",
    {
      class: ["g-place", turn && "g-turn", out && "g-out", view.seat === seat && "g-own"],
      "aria-label": ctx.names[seat],
      style: { "--c": `var(--seat-${seat % 6})` },
    },
    h(
      "header",
      {},
      who(ctx, seat),
      view.seat === seat && h("small", {}, "you"),
      turn && tag("▶ to move", "go"),
      notes.filter(Boolean).map((note) => (typeof note === "string" ? tag(note) : note)),
      figure !== null && h("span", { class: "g-figure" }, figure),
    ),
    ...inside,
  );
}

/** The seats' places in a grid. */
export const around = (view, ctx, draw) => h("div", { class: "g-around" }, seats(view, ctx).map(draw));

/** What is going on, in one line: who is waited for and for what, and the figures of the game. */
function now(view, ctx, what, facts) {
  const mine = view.seat !== null && view.seat !== undefined && view.to_act.includes(view.seat);
  const others = view.to_act.filter((seat) => seat !== view.seat);
  const waiting = view.phase === "waiting";
  const text = waiting ? "the game starts when all are there." : what;
  return h(
    "div",
    { class: ["g-now", mine && "g-mine"] },
    h(
      "p",
      {},
      mine && h("strong", {}, waiting ? "You are waited for: " : others.length ? "You may move: " : "Your turn: "),
      !mine && others.map((seat) => badge(ctx, seat)),
      !mine && others.length > 0 && h("strong", {}, ` ${listed(others.map((seat) => ctx.names[seat]), "or")}: `),
      text,
    ),
    facts.some(Boolean) && h("ul", { class: "g-facts" }, facts.filter(Boolean).map((fact) => h("li", {}, fact))),
  );
}

/** What stands over every table: the outcome of a game that is over, else what is going on. */
export const head = (view, ctx, what, facts, columns) => (view.outcome ? result(view, ctx, columns) : now(view, ctx, what, facts));

/** A seat's note when it is on turn and somebody else is waited for. */
export const onTurn = (view, seat) => view.table.turn === seat && !view.to_act.includes(seat) && "on turn";

/** A titled part of the table. */
export const area = (title, attrs, ...inside) =>
  h("section", { ...attrs, class: ["g-area", attrs?.class] }, title && h("h3", {}, title), ...inside);

/** How the game ended: places and scores, a game's own columns `[["Cash", (seat) => …], …]`, and the page's `ctx.links`. */
function result(view, ctx, columns = []) {
  const outcome = view.outcome;
  const order = range(ctx.names.length).sort((a, b) => outcome.places[a] - outcome.places[b]);
  const heads = ["Place", "Player", ...columns.map(([head]) => head), ...(outcome.scores ? ["Score"] : [])];
  const cells = (seat) => [
    outcome.places[seat],
    h("span", { class: "g-who" }, badge(ctx, seat), ctx.names[seat], outcome.winners.includes(seat) && tag("★ winner", "good")),
    ...columns.map(([, cell]) => cell(seat)),
    ...(outcome.scores ? [h("strong", {}, number(outcome.scores[seat]))] : []),
  ];
  return h(
    "section",
    { class: "g-result", "aria-label": "Outcome" },
    h(
      "header",
      {},
      h(
        "h3",
        {},
        outcome.winners.length
          ? `${listed(outcome.winners.map((seat) => ctx.names[seat]))} ${outcome.winners.length > 1 ? "share the win" : "wins"}`
          : "Nobody wins",
      ),
      h("p", { class: "g-hint" }, `${capital(outcome.reason.replaceAll("_", " "))} · ${counted(view.version, "commit")}`),
      ctx.links?.length > 0 && h("div", { class: "g-row" }, ctx.links),
    ),
    outcome.places.length > 0 &&
      h(
        "div",
        { class: "g-scroll" },
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
          h("tbody", {}, order.map((seat) => h("tr", {}, cells(seat).map((cell) => h("td", {}, cell))))),
        ),
      ),
  );
}

// Cards and dice

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A die; 0 is one whose face is hidden. `mark` is added to its class. */
export function die(face, mark = "") {
  const pips = (PIPS[face] ?? []).map((at) =>
    svg("circle", { cx: 11 + (at % 3) * 9, cy: 11 + Math.floor(at / 3) * 9, r: face === 1 ? 5 : 3.4 }),
  );
  const hidden = !face && [svg("path", { d: "M8 20 20 8 32 20 20 32Z" }), svg("circle", { cx: 20, cy: 20, r: 3 })];
  return svg(
    "svg",
    { class: `g-die ${face ? "" : "g-hidden"} ${mark}`, viewBox: "0 0 40 40", role: "img", "aria-label": face ? `a ${face}` : "a hidden die" },
    svg("rect", { x: 2, y: 2, width: 36, height: 36, rx: 8 }),
    hidden || pips,
  );
}

/** An icon on a 24 × 24 grid, of paths: a string is stroked, `[path]` is filled. */
export function icon(paths, mark = "") {
  return svg(
    "svg",
    { class: `g-icon ${mark}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    paths.map((path) => (Array.isArray(path) ? svg("path", { class: "g-fill", d: path[0] }) : svg("path", { d: path }))),
  );
}

const BODIES = [
  ["M4 26v-8q0-3 4-4l6-1 7-9q1-2 4-2h17q3 0 5 2l6 9 5 1q4 1 4 5v7Z", "M19 13l5-7h8v7ZM36 13V6h7l5 7Z"],
  ["M3 26v-8q0-3 4-3l9-2 8-8q1-1 4-1h12q3 0 5 1l7 8 7 1q4 1 4 5v7Z", "M21 13l6-6h6v6ZM37 13V7h4l5 6Z"],
  ["M3 26v-9q0-3 4-4l5-1 4-8q1-3 4-3h30q4 0 5 3l3 8q4 1 4 5v9Z", "M17 12l3-7h10v7ZM34 12V5h14l3 7Z"],
];

/** A car in the colour `--c`: 0 small, 1 a saloon, 2 a big one. */
export const car = (body) =>
  svg(
    "svg",
    { class: "g-car", viewBox: "0 0 64 34", "aria-hidden": "true" },
    svg("path", { class: "g-body", d: BODIES[body][0] }),
    svg("path", { class: "g-glass", d: BODIES[body][1] }),
    svg("circle", { cx: 16, cy: 27, r: 5.5 }),
    svg("circle", { cx: 49, cy: 27, r: 5.5 }),
  );

/** Face-down cards: a few backs and how many. */
export function backs(count, one = "card", many = `${one}s`) {
  return h(
    "span",
    { class: "g-backs" },
    h("span", { "aria-hidden": "true" }, range(Math.min(count, 5)).map(() => h("i"))),
    plural(count, one, many),
  );
}

/** A labelled figure. */
export const stat = (label, value) => h("span", { class: "g-stat" }, h("b", {}, value), " ", label);

export const nothing = (text) => h("span", { class: "g-none" }, text);

/** `1 2 3 of 4` as filled and empty dots, with words for who does not see them. */
export const dots = (done, of, label) =>
  h("span", { class: "g-dots", role: "img", "aria-label": label }, range(of).map((at) => h("i", { class: at < done && "g-on" })));

// Controls

/** A whole number that was typed, null if it is none. */
const whole = (typed) => {
  const plain = String(typed).replaceAll(/[\s,€]/g, "");
  return /^\d{1,15}$/.test(plain) ? Number(plain) : null;
};

/** Why a typed number may not be had; "" if it may. */
function numberFault(typed, { min, max, step = 1 }) {
  const value = whole(typed);
  if (value === null) return "Type a whole number.";
  if (value < min) return `It takes at least ${number(min)}.`;
  if (max !== null && max !== undefined && value > max) return `At most ${number(max)}.`;
  return value % step ? `It goes in steps of ${number(step)}.` : "";
}

/**
 * A seat's offers as controls. What was chosen for the last version stays where every offer that it is for is the
 * same; `ctx.kept` carries it from one version to the next, and forgets it once an action is sent.
 * `makers` has a function for each type of offer: (offer, ui) => node; with `state`
 * the choices begin. What `ui` makes is described there. Offers are shown in the order of `makers`.
 */
export function controls(view, ctx, makers, state = {}) {
  const root = h("div", { class: "g-controls" });
  const ui = new Controls(root, view, ctx, { ...READY, ...makers }, state);
  ui.redraw();
  if (!ctx.kept) return root;
  if (ctx.kept.last) ui.keep(ctx.kept.last);
  ctx.kept.last = ui;
  return root;
}

const READY = {
  "game.ready": (offer, ui) =>
    ui.group(
      "Are you there?",
      "You may add words of your own to the dealer's chance, so that nobody can have foreseen it.",
      ui.text({ key: "entropy", label: "Your own random words (optional)", most: 256 }),
      ui.button({
        key: "ready",
        label: "I am ready",
        main: true,
        action: () => ({ type: "game.ready", ...(ui.state.entropy ? { entropy: ui.state.entropy } : {}) }),
      }),
    ),
};

/** What an option shows: its face, which is said by its name; or the name itself. */
function option(face, name) {
  if (!face) return h("span", {}, name);
  face.setAttribute("aria-hidden", "true");
  return [h("span", { class: "visually-hidden" }, name), face];
}

class Controls {
  constructor(root, view, ctx, makers, state) {
    const readers = {};
    // Each choice notes which offers it is for: those that read it.
    const noted = new Proxy({ ...state }, { get: (target, key) => ((readers[key] ??= new Set()).add(this.making), target[key]) });
    Object.assign(this, { root, view, ctx, makers, readers, state: noted, sent: false });
  }

  /** Take over from the last version's controls what was chosen for offers that have not changed. */
  keep(last) {
    const same = (type) => !type || JSON.stringify(this.offer(type)) === JSON.stringify(last.offer(type));
    const kept = Object.entries(last.state).filter(([key]) => [...(this.readers[key] ?? []), ...(last.readers[key] ?? [])].every(same));
    if (kept.length) this.set(Object.fromEntries(kept));
  }

  /** This view's offer of an action, undefined if there is none. */
  offer(type) {
    return this.view.offers.find((offer) => offer.type === type);
  }

  /** Remember choices and draw anew, with the focus where it was. */
  set(changes) {
    Object.assign(this.state, changes);
    this.redraw();
  }

  redraw() {
    const active = this.root.contains(document.activeElement) ? document.activeElement : null;
    const key = active?.dataset.key;
    const caret = active?.tagName === "INPUT" ? active.selectionStart : null;
    const groups = Object.entries(this.makers).map(([type, make]) => {
      const offer = this.offer(type);
      this.making = type;
      return offer && make(offer, this);
    });
    this.making = null;
    clear(this.root, groups);
    if (key === undefined) return;
    const again = this.root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    // A button that has just reached its limit cannot keep the focus: its neighbour takes it.
    const focused = again && !again.disabled ? again : again?.parentElement.querySelector("button:enabled, input");
    focused?.focus();
    if (caret !== null && again?.tagName === "INPUT") again.setSelectionRange(caret, caret);
  }

  /** Send an action; nothing else is sent until its answer is there. */
  async act(action) {
    if (this.sent) return;
    this.sent = true;
    this.root.setAttribute("aria-busy", "true");
    const { kept = {} } = this.ctx;
    kept.last = null;
    try {
      // What was refused may be tried again.
      if ((await this.ctx.act(action)) === false) kept.last ??= this;
    } finally {
      this.sent = false;
      this.root.removeAttribute("aria-busy");
    }
  }

  group(title, hint, ...inside) {
    return h("section", { class: "g-offer" }, h("h3", {}, title), hint && h("p", { class: "g-hint" }, hint), ...inside);
  }

  /** Several plain buttons beside each other. */
  row(...inside) {
    return h("div", { class: "g-row" }, ...inside);
  }

  /** A button that sends `action()`, or does `press()`. With `why` it is closed and says so. */
  button({ key, label, detail = "", why = "", main = false, tone = "", action, press, ...attrs }) {
    const told = why && h("span", { class: "g-why", id: `why-${key}` }, why);
    const button = h(
      "button",
      {
        type: "button",
        class: ["g-button", main && "g-main", tone && `g-${tone}`],
        "data-key": key,
        disabled: Boolean(why),
        "aria-describedby": why ? `why-${key}` : null,
        onclick: () => (press ? press() : this.act(action())),
        ...attrs,
      },
      h("span", {}, label),
      detail && h("small", {}, detail),
    );
    return told ? h("span", { class: "g-closed" }, button, told) : button;
  }

  text({ key, label, most }) {
    return h(
      "label",
      { class: "g-field" },
      h("span", {}, label),
      h("input", {
        type: "text",
        maxlength: most,
        autocomplete: "off",
        "data-key": key,
        value: this.state[key] ?? "",
        oninput: (event) => this.set({ [key]: event.target.value.slice(0, most) }),
      }),
    );
  }

  /** A number in steps; what is typed is kept in `state[key]`. `max` may be null. `jumps` are larger steps. */
  stepper({ key, label, min, max = null, step = 1, jumps = [], unit = "" }) {
    const typed = this.state[key] ?? Math.ceil(min / step) * step;
    const value = whole(typed) ?? min;
    const low = Math.ceil(min / step) * step;
    const high = max === null ? Infinity : Math.floor(max / step) * step;
    const within = (wanted) => Math.max(low, Math.min(high, wanted));
    const go = (by) => this.set({ [key]: within(by < 0 ? Math.ceil((value + by) / step) * step : Math.floor((value + by) / step) * step) });
    const keys = { ArrowUp: step, ArrowDown: -step, PageUp: 10 * step, PageDown: -10 * step };
    const arrow = (mark, by, name) =>
      h(
        "button",
        {
          type: "button",
          class: "g-step",
          "data-key": `${key}${by < 0 ? "-" : "+"}${Math.abs(by)}`,
          "aria-label": `${label}: ${name}`,
          disabled: by < 0 ? value <= low : value >= high,
          onclick: () => go(by),
        },
        mark,
      );
    return h(
      "div",
      { class: "g-stepper", role: "group", "aria-label": label },
      h("label", { for: `in-${key}` }, label),
      h(
        "span",
        { class: "g-steps" },
        arrow("−", -step, `${number(step)} less`),
        unit && h("span", { "aria-hidden": "true" }, unit),
        h("input", {
          id: `in-${key}`,
          type: "text",
          inputmode: "numeric",
          autocomplete: "off",
          role: "spinbutton",
          "aria-valuemin": min,
          "aria-valuemax": max,
          "aria-valuenow": value,
          "data-key": key,
          value: String(typed),
          oninput: (event) => this.set({ [key]: event.target.value }),
          onkeydown: (event) => {
            if (!(event.key in keys)) return;
            event.preventDefault();
            go(keys[event.key]);
          },
        }),
        arrow("+", step, `${number(step)} more`),
        jumps.map((by) => arrow(`+${number(by)}`, by, `${number(by)} more`)),
      ),
    );
  }

  /** The number of a stepper: `value`, or null and `why` not. */
  read(key, bounds) {
    const step = bounds.step ?? 1;
    const typed = this.state[key] ?? Math.ceil(bounds.min / step) * step;
    const why = numberFault(typed, bounds);
    return { value: why ? null : whole(typed), why };
  }

  /** One of several: `options` are {value, label, face?, detail?, why?}; the choice is kept in `state[key]`. */
  pick({ key, label, options, clears = {} }) {
    return h(
      "fieldset",
      { class: "g-pick" },
      h("legend", {}, label),
      options.map(({ value, label: name, face, detail, why }) =>
        h(
          "button",
          {
            type: "button",
            class: "g-option",
            "data-key": `${key}:${value}`,
            "aria-pressed": String(this.state[key] === value),
            title: why || null,
            disabled: Boolean(why),
            onclick: () => this.set({ ...clears, [key]: value }),
          },
          option(face, why ? `${name}: ${why}` : name),
          detail && h("small", {}, detail),
        ),
      ),
    );
  }

  /** Any of several that are told apart; the chosen values are kept in the list `state[key]`. */
  toggles({ key, label, options, most = Infinity }) {
    const chosen = this.state[key] ?? [];
    return h(
      "fieldset",
      { class: "g-pick" },
      h("legend", {}, label),
      options.map(({ value, label: name, face, detail, why }) => {
        const on = chosen.includes(value);
        const closed = !on && (chosen.length >= most || why);
        return h(
          "button",
          {
            type: "button",
            class: "g-option",
            "data-key": `${key}:${value}`,
            "aria-pressed": String(on),
            title: (!on && why) || null,
            disabled: Boolean(closed),
            onclick: () => this.set({ [key]: on ? chosen.filter((other) => other !== value) : [...chosen, value] }),
          },
          option(face, name),
          detail && h("small", {}, detail),
        );
      }),
    );
  }

  /** How many of each: `items` are {id, max, face, label}; counts are kept in `state[key]`. Tapping a card adds it. */
  counts({ key, label, items }) {
    const chosen = this.state[key] ?? {};
    const put = (id, count) => this.set({ [key]: some({ ...chosen, [id]: count }) });
    return h(
      "fieldset",
      { class: "g-pick" },
      h("legend", {}, label),
      items.map(({ id, max, face, label: name }) => {
        const count = chosen[id] ?? 0;
        return h(
          "div",
          { class: ["g-count", count && "g-some"] },
          h(
            "button",
            {
              type: "button",
              class: "g-option",
              "data-key": `${key}:${id}+`,
              "aria-label": `Add ${name}; ${count} of ${max} chosen`,
              disabled: count >= max,
              onclick: () => put(id, count + 1),
            },
            face,
          ),
          h(
            "span",
            { class: "g-steps" },
            h(
              "button",
              {
                type: "button",
                class: "g-step",
                "data-key": `${key}:${id}-`,
                "aria-label": `Take back ${name}; ${count} of ${max} chosen`,
                disabled: !count,
                onclick: () => put(id, count - 1),
              },
              "−",
            ),
            h("b", {}, count),
            h("span", {}, `of ${max}`),
          ),
        );
      }),
    );
  }
}
