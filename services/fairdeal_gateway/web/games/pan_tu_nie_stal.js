/** Pan tu nie stał!: shops and the Bazaar with their queues, goods, whose lead it is (pan_tu_nie_stal.md). */

import { h } from "../dom.js";
import { good, goodText, parts, token as foreignToken } from "./foreign_goods.js";
import * as kit from "./kit.js";

export const title = "Pan tu nie stał!";

const CARDS = {
  regular: ["Kolejkowicz", "1", "Counts 1."],
  pushy: ["Cwaniak", "2", "Counts 2."],
  veteran: ["Weteran kolejek", "3", "Counts 3."],
  colleagues: ["Znajomi z pracy", "1 2 3", "Your first in a queue counts 1, the second 2, the third 3."],
  mother: ["Matka z dzieckiem", "1", "As long as she stands uncovered, everybody in this queue counts 1."],
  runner: ["Zajmujący miejsce", "2", "Counts 2; may be played without using an action."],
  brawler: ["Pan tu nie stał!", "1", "Counts 1; may cover a card, which then counts nothing."],
};
const SHOPS = ["Spożywczy", "Meblowy", "Odzieżowy", "RTV-AGD"];
/** The goods of the shops by value; their ids count on. */
const GOODS = [
  [1, "Oranżada wyborowa", "Guma arabska"],
  [2, "Papier toaletowy", "Cukier kryształ", "Musztarda", "Ocet", "Zeszyt", "Mydło"],
  [3, "Kawa Turek", "Gumofilce", "Szkolny fartuszek", "Garnek", "Koc", "Termos", "Siatka na zakupy"],
  [4, "Czapka męska z nutrii", "Autosyfon na naboje", "Parasol", "Żelazko", "Lampka", "Sanki", "Zegar"],
  [5, "Relaksy", "Wigry-3", "Namiot", "Radio", "Adapter", "Maszynka do mięsa", "Dywan", "Wózek"],
  [7, "Pralka Frania", "Magnetofon szpulowy", "Aparat Zorka 5", "Odkurzacz"],
  [8, "Meblościanka", "Lodówka"],
].flatMap(([value, ...names]) => names.map((name) => ({ value, name })));
const ENDS = {
  goods: "No shop has goods any more.",
  cards: "A player has played all cards.",
  last_seat: "One player is left.",
};
const ICONS = {
  regular: ["M12 3a3.5 3.5 0 1 1-.01 0ZM5 21v-5c0-4 3-5 7-5s7 1 7 5v5"],
  pushy: ["M9 3a3 3 0 1 1-.01 0ZM3 21v-6c0-3 2-5 6-5h3l6-4M12 21v-7"],
  veteran: ["M12 3l2 5 5 .4-4 3.4 1.3 5.2-4.3-2.9L7.7 17 9 11.8 5 8.4 10 8ZM6 21h12"],
  colleagues: ["M8 4a3 3 0 1 1-.01 0ZM17 6a2.5 2.5 0 1 1-.01 0ZM2 21v-4c0-4 3-5 6-5s6 1 6 5v4M16 13c4 0 6 1 6 4v4"],
  mother: ["M9 3a3 3 0 1 1-.01 0ZM3 21v-5c0-4 2-5 6-5s6 2 6 5v5M18 12a2 2 0 1 1-.01 0ZM15 21v-2c0-3 6-3 6 0v2"],
  runner: ["M14 2a2 2 0 1 1-.01 0ZM5 12l4-4 4 1 2 4 4 1M12 9l-3 6 4 3-1 4M9 15l-5 3"],
  brawler: ["M5 4l6 6M13 3l-1 6M4 12l6-1M8 20c-2-4 2-8 6-8h4c3 0 4 6 0 8Z"],
};

const isForeign = (token) => token.startsWith("G-");
const goods = (token) => (isForeign(token) ? good(token) : GOODS[Number(token.slice(1)) - 1]);
const tokenText = (token) => (isForeign(token) ? goodText(token) : `${goods(token).name} ${goods(token).value}`);
const cardName = (card) => CARDS[card][0];
const counted = (cards) => {
  const found = {};
  for (const card of cards) found[card] = (found[card] ?? 0) + 1;
  return found;
};
const cardsText = (cards) => kit.listed(Object.entries(counted(cards)).map(([card, count]) => (count > 1 ? `${count}× ${cardName(card)}` : cardName(card))));
const some = (count) => (count === 1 ? "a card" : `${count} cards`);

const queueName = (table, number) => (table.queues[number].kind === "bazaar" ? "the Bazaar" : SHOPS[number]);
const awards = (all, who) => kit.listed(all.map((one) => `${tokenText(one.token)} to ${who(one.seat)}`));

// Events in words

const where = (e, ctx) => (ctx.table ? queueName(ctx.table, e.queue) : `queue ${e.queue + 1}`);

const SENTENCES = {
  goods_placed: (e, who, ctx) => `At ${where(e, ctx)} there are now ${kit.listed(e.tokens.map(tokenText))}.`,
  pair_removed: (e) => `Out of the game: ${kit.listed(e.tokens.map(tokenText))}, which are of one value.`,
  starter_drawn: (e, who) => `By lot, ${who(e.seat)} begins.`,
  hand_dealt: (e, who) => (e.cards ? `${who(e.seat)} is dealt ${cardsText(e.cards)}.` : ""),
  turn_started: (e, who) => `It is ${who(e.seat)}'s turn.`,
  claim_made: (e, who, ctx) => `${who(e.seat)} takes ${tokenText(e.token)} at ${where(e, ctx)}; it lies on the cards there and is subtracted.`,
  shop_settled: (e, who, ctx) => `${who(e.seat)} takes the last good at ${where(e, ctx)}: ${awards(e.awards, who)}.`,
  line_cleared: (e, who, ctx) => `Everybody leaves the queue at ${where(e, ctx)}.`,
  refill_asked: (e, who) => `${who(e.seat)} says whether a foreign good goes on the Bazaar.`,
  refill_chosen: (e, who) => `${who(e.seat)} ${e.add ? "wants one there" : "wants none"}.`,
  bazaar_started: (e, who) => `The foreign goods are picked by ${kit.listed(e.order.map((seat, at) => `${who(seat)} (${e.totals[at]})`))}.`,
  good_picked: (e, who) => `${who(e.seat)} picks ${tokenText(e.token)}.`,
  card_drawn: (e, who) => `${who(e.seat)} draws ${e.card ? cardName(e.card) : "a card"}; ${e.deck_left} are left.`,
  cards_played: (e, who, ctx) => {
    const free = e.free ? " at no cost" : "";
    const over = e.covers.length ? `, over ${kit.listed(e.covers.map((place) => `place ${place + 1}`))}` : "";
    return `${who(e.seat)} puts ${cardsText(e.cards)} into the queue at ${where(e, ctx)}${over}${free}.`;
  },
  last_round: (e, who) => `${who(e.seat)} has played all cards: everybody else has one more turn.`,
  final_check_started: (e, who) => `${who(e.seat)} looks at the queues for the last time.`,
  seat_left: (e, who) => `${who(e.seat)} plays no longer, place ${e.place}; ${some(e.count)} ${e.count === 1 ? "goes" : "go"} into the box.`,
  game_over: (e, who) =>
    `${ENDS[e.reason]}${e.awards.length ? ` ${awards(e.awards, who)}.` : ""} ${kit.listed(e.scores.map((score, seat) => `${who(seat)} has ${score}`))}.`,
};

export const sentence = (event, ctx) => kit.tell(event, ctx, SENTENCES);

// Cards and goods

const token = (id, ...more) =>
  isForeign(id) ? foreignToken(id, ...more) : h("span", { class: "pan-good" }, h("b", {}, goods(id).value), h("span", {}, goods(id).name), ...more);

function face(card, counts = CARDS[card][1]) {
  return h("span", { class: "g-card pan-card", title: CARDS[card][2] }, h("b", {}, counts), kit.icon(ICONS[card]), h("span", {}, cardName(card)));
}

/** What each card of a line counts, as the rules reckon it (pan_tu_nie_stal.md §4). */
function worth(line, options) {
  const level = options.mother_duration === "standing" && line.some((one) => one.card === "mother" && one.covered_by === undefined);
  const colleagues = {};
  return line.map((one) => {
    if (one.covered_by !== undefined) return 0;
    const base = one.card === "colleagues" ? (colleagues[one.seat] = (colleagues[one.seat] ?? 0) + 1) : Number(CARDS[one.card][1]);
    return level || one.levelled ? 1 : base;
  });
}

function standing(ctx, one, counts, place) {
  const covered = one.covered_by !== undefined;
  return h(
    "li",
    { class: ["pan-standing", covered && "pan-covered"], style: { "--c": `var(--seat-${one.seat % 6})` }, title: CARDS[one.card][2] },
    h("span", { class: "pan-place" }, place + 1),
    kit.badge(ctx, one.seat),
    kit.icon(ICONS[one.card]),
    h("span", {}, cardName(one.card)),
    h("b", {}, covered ? `covered by ${one.covered_by + 1}` : counts),
  );
}

// The table

function queue(view, ctx, number) {
  const table = view.table;
  const here = table.queues[number];
  const counts = worth(here.line, table.options);
  const present = [...new Set([...here.line.map((one) => one.seat), ...(here.claim ? [here.claim.seat] : [])])].sort((a, b) => here.totals[b] - here.totals[a]);
  const leads = here.leader;
  return kit.area(
    "",
    { class: ["pan-queue", here.kind === "bazaar" && "g-felt"] },
    h(
      "header",
      { class: "g-line" },
      h("h3", {}, `${number + 1} · ${here.kind === "bazaar" ? "Bazar Różyckiego" : SHOPS[number]}`),
      table.checked.includes(number) && kit.tag("used this turn"),
      !here.goods.length && kit.tag("closed", "warn"),
    ),
    h("div", { class: "g-line" }, here.goods.map((one) => token(one)), !here.goods.length && kit.nothing("no goods")),
    here.claim && h("p", { class: "g-line" }, kit.who(ctx, here.claim.seat), "has taken", token(here.claim.token), `which is subtracted here: −${goods(here.claim.token).value}`),
    here.line.length ? h("ol", { class: "pan-line", "aria-label": "The queue, the earliest first" }, here.line.map((one, at) => standing(ctx, one, counts[at], at))) : kit.nothing("nobody queues"),
    present.length > 0 &&
      h(
        "p",
        { class: "g-line pan-totals" },
        present.map((seat) => h("span", { class: ["pan-total", seat === leads && "pan-leads"] }, kit.badge(ctx, seat), h("span", { class: "g-sr" }, ctx.names[seat]), h("b", {}, String(here.totals[seat]).replace("-", "−")), seat === leads && " leads")),
        leads === null && kit.nothing("nobody leads alone"),
      ),
  );
}

function seat(view, ctx, at) {
  const table = view.table;
  const won = table.won?.[at] ?? (view.seat === at ? view.hand?.won : null);
  const foreign = table.foreign[at];
  const colours = new Set(foreign.map((one) => parts(one).colour)).size;
  const points = won ? kit.sum([...won, ...foreign].map((one) => goods(one).value)) + colours : null;
  return kit.place(
    view,
    ctx,
    at,
    {
      out: at in table.places,
      notes: [
        kit.onTurn(view, at),
        table.last_round_by === at && kit.tag("has played all cards", "warn"),
        table.last_turns.includes(at) && kit.tag("last turn to come", "warn"),
        at in table.places && `place ${table.places[at]}`,
        table.resigned.includes(at) && "resigned",
      ],
      figure: points === null ? null : kit.plural(points, "point"),
    },
    h("div", { class: "g-line" }, kit.backs(table.hands[at], "hand card"), kit.stat("in the deck", table.decks[at])),
    h("div", { class: "g-line" }, (won ?? []).map((one) => token(one)), foreign.map((one) => token(one)), !won && table.won_counts[at] > 0 && kit.backs(table.won_counts[at], "good"), !table.won_counts[at] && !foreign.length && kit.nothing("no goods yet")),
    colours > 0 && h("p", { class: "g-none" }, `${kit.plural(colours, "colour")} of foreign goods: ${kit.plural(colours, "point")} more`),
  );
}

function own(view) {
  const hand = view.hand;
  if (!hand) return null;
  const cards = Object.keys(CARDS).flatMap((card) => kit.range(hand.cards[card] ?? 0).map(() => face(card)));
  return kit.area(`Your hand: ${kit.plural(cards.length, "card")}`, {}, cards.length ? h("div", { class: "g-cards" }, cards) : kit.nothing("no card"));
}

function picking(view, ctx) {
  const { picking: going } = view.table;
  if (!going) return null;
  return kit.area(
    "The foreign goods are picked",
    { class: "g-felt" },
    h("p", { class: "g-line" }, going.order.map((at, place) => h("span", { class: ["pan-total", place === going.next && "pan-leads"] }, kit.badge(ctx, at), ctx.names[at], ` (${going.totals[place]})`, place === going.next && " picks"))),
    h("p", { class: "g-hint" }, "In this order, again and again until no good is left."),
  );
}

const WHAT = {
  check: "look at the queues: take what the lead brings.",
  act: "draw and play, two actions in all.",
  final_check: "the last look at the queues.",
  bazaar_pick: "pick a foreign good.",
  bazaar_refill: "say whether a foreign good goes on the Bazaar.",
};

export function draw(view, ctx) {
  const table = view.table;
  const acting = view.phase === "act";
  const facts = [
    table.turn_number > 0 && `turn ${table.turn_number}`,
    acting && kit.stat(table.actions_left === 1 ? "action left" : "actions left", table.actions_left),
    kit.stat("goods to come", table.stack),
    table.queues.some((one) => one.kind === "bazaar") && kit.stat("foreign goods to come", table.foreign_stack),
    table.last_round_by !== null && kit.tag("the last round", "warn"),
  ];
  const columns = [
    ["Goods", (at) => (table.won ? kit.listed(table.won[at].map(tokenText)) || "none" : table.won_counts[at])],
    ["Foreign goods", (at) => kit.listed(table.foreign[at].map(tokenText)) || "none"],
  ];
  return h(
    "div",
    { class: "g g-pan-tu-nie-stal" },
    kit.head(view, ctx, WHAT[view.phase], facts, columns),
    picking(view, ctx),
    h("div", { class: "pan-queues" }, table.queues.map((_, number) => queue(view, ctx, number))),
    h("p", { class: "g-hint" }, "Who alone counts most in a queue leads it and takes a good at the begin of the own turn. The first good of a shop lies on the winner's cards and is subtracted there; with the second one everybody leaves."),
    own(view),
    kit.around(view, ctx, (at) => seat(view, ctx, at)),
  );
}

// What may be done

const claim = (offer, ui) =>
  ui.group(
    "Take goods where you lead",
    "You choose the order. Who takes the first good of a shop has its value subtracted there; who takes the last one ends the queue.",
    kit.numbered(offer.queues).map(([number, tokens]) =>
      h(
        "div",
        { class: "g-line" },
        h("b", {}, `${number + 1} · ${SHOPS[number]}`),
        tokens.map((one) => ui.button({ key: `claim:${number}:${one}`, label: `Take ${tokenText(one)}`, action: () => ({ type: "pan_tu_nie_stal.claim", queue: number, token: one }) })),
      ),
    ),
  );

const pick = (offer, ui) =>
  ui.group(
    "Pick a foreign good",
    "It brings its value, and each colour that you have one point more.",
    ui.row(offer.tokens.map((one) => ui.button({ key: `pick:${one}`, label: `Pick ${tokenText(one)}`, detail: parts(one).colour, action: () => ({ type: "pan_tu_nie_stal.pick", token: one }) }))),
  );

const refill = (offer, ui) =>
  ui.group(
    "A foreign good for the Bazaar?",
    "The shop was filled anew; a foreign good may be put on the Bazaar.",
    ui.row([true, false].map((add) => ui.button({ key: `add-${add}`, label: add ? "Yes, put one there" : "No", action: () => ({ type: "pan_tu_nie_stal.refill_bazaar", add }) }))),
  );

function play(offer, ui) {
  const { queue, card, covers } = ui.state;
  const table = ui.view.table;
  const held = offer.cards[card] ?? 0;
  const { value: count, why: bad } = ui.read("count", { min: 1, max: Math.max(1, held) });
  const open = card === "brawler" && queue !== undefined ? (offer.covers?.[queue] ?? []) : [];
  const chosen = open.length ? covers : [];
  const line = queue === undefined ? [] : table.queues[queue].line;
  const why = queue === undefined ? "Choose a queue." : !held ? "Choose a card." : bad || (chosen.length > count ? `${kit.plural(count, "brawler covers", "brawlers cover")} at most ${some(count)}.` : "");
  return ui.group(
    "Play cards",
    "One card, or several of one kind, into one queue; it takes one action.",
    ui.pick({
      key: "queue",
      label: "Into",
      options: offer.queues.map((number) => ({ value: number, label: `${number + 1} · ${table.queues[number].kind === "bazaar" ? "Bazaar" : SHOPS[number]}`, detail: `you count ${table.queues[number].totals[ui.view.seat]}` })),
      clears: { covers: [] },
    }),
    ui.pick({
      key: "card",
      label: "Card",
      options: Object.keys(CARDS).filter((one) => offer.cards[one]).map((one) => ({ value: one, label: `${cardName(one)}, ${CARDS[one][2]} You hold ${offer.cards[one]}`, face: face(one), detail: `${offer.cards[one]} in hand` })),
      clears: { covers: [], count: undefined },
    }),
    held > 0 && h("p", { class: "g-hint" }, CARDS[card][2]),
    held > 1 && ui.stepper({ key: "count", label: "How many", min: 1, max: held }),
    open.length > 0 &&
      ui.toggles({
        key: "covers",
        label: "They lie on, in the order of your choice (none need)",
        options: open.map((place) => ({ value: place, label: `place ${place + 1}: ${cardName(line[place].card)} of ${ui.ctx.names[line[place].seat]}`, detail: chosen.includes(place) ? `by brawler ${chosen.indexOf(place) + 1}` : "" })),
        most: count ?? 1,
      }),
    ui.button({
      key: "play",
      label: why ? "Play" : `Play ${count > 1 ? `${count}× ` : ""}${cardName(card)} into ${queueName(table, queue)}`,
      main: true,
      why,
      action: () => ({ type: "pan_tu_nie_stal.play", queue, cards: kit.range(count).map(() => card), ...(chosen.length ? { covers: chosen } : {}) }),
    }),
  );
}

const free = (offer, ui) =>
  ui.group(
    "Play a runner at no cost",
    `${cardName("runner")} counts 2 and uses no action.`,
    ui.row(offer.queues.map((queue) => ui.button({ key: `free:${queue}`, label: `Into ${queueName(ui.view.table, queue)}`, action: () => ({ type: "pan_tu_nie_stal.play_free", queue, card: "runner" }) }))),
  );

const plain = (type, heading, label, hint) => (offer, ui) =>
  ui.group(heading, hint, ui.button({ key: type, label, action: () => ({ type: `pan_tu_nie_stal.${type}` }) }));

export function controls(view, ctx) {
  const offer = view.offers.find((one) => one.type === "pan_tu_nie_stal.play");
  const only = offer && Object.keys(offer.cards).length === 1 ? Object.keys(offer.cards)[0] : undefined;
  return kit.controls(
    view,
    ctx,
    {
      "pan_tu_nie_stal.claim": claim,
      "pan_tu_nie_stal.start_bazaar": plain("start_bazaar", "The Bazaar", "Have the foreign goods picked", "You lead there and pick first; then the others who queue, by what they count, again and again."),
      "pan_tu_nie_stal.pick": pick,
      "pan_tu_nie_stal.refill_bazaar": refill,
      "pan_tu_nie_stal.checked": plain("checked", "Go on", "Go on", "There is nothing more to take now."),
      "pan_tu_nie_stal.play": play,
      "pan_tu_nie_stal.draw": plain("draw", "Draw", "Draw a card", "From your own deck; it takes one action."),
      "pan_tu_nie_stal.play_free": free,
      "pan_tu_nie_stal.end_turn": plain("end_turn", "End your turn", "End the turn", "The next player looks at the queues."),
    },
    { card: only, covers: [] },
  );
}
