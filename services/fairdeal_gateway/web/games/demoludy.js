/** Demoludy: foreign goods on their stacks, the auction that runs, cars and cards (demoludy.md). */

import { h } from "../dom.js";
import { COLOURS, COUNTRIES, SIGNS, good, goodText, parts, token } from "./foreign_goods.js";
import * as kit from "./kit.js";

export const title = "Demoludy";

const PRODUCTS = { 2: "Crème", 3: "Vodka", 4: "Gas cylinder", 5: "Amber necklace", 7: "Crystal vase" };
const ACTIONS = {
  policeman: ["Policeman", "Take a card by chance out of another player's hand."],
  customs_officer: ["Customs Officer", "Each opponent in the auction loses the latest face-up card, but nobody the last card."],
  car_trouble: ["Car Trouble", "An opponent in the auction loses a face-up card of your choice, but not the last card."],
  petrol_station: ["Petrol Station", "Take one of your face-up cards back into your hand; you may use it again at once."],
  bazaar: ["Bazaar", "One of your face-up cards and one of an opponent change places."],
  money_changer: ["Money Changer", "Ask a player for the highest dollar. Who has none shows the hand instead."],
  brotherhood: ["Brotherhood", "All face-up Vodka of everybody is discarded, but nobody's last card."],
};

const isProduct = (card) => card.startsWith("P-");
const isDollar = (card) => card.startsWith("USD");
const value = (card) => (isProduct(card) ? parts(card).value : isDollar(card) ? Number(card.slice(3)) : 0);
const TEN = "USD10";
const country = (colour) => (COUNTRIES[colour] === COUNTRIES[colour].toUpperCase() ? `the ${COUNTRIES[colour]}` : COUNTRIES[colour]);
const order = (card) =>
  isProduct(card) ? COLOURS.indexOf(parts(card).colour) * 10 + parts(card).value : isDollar(card) ? 60 + value(card) : 90 + Object.keys(ACTIONS).indexOf(card);
const sorted = (cards) => [...cards].sort((a, b) => order(a) - order(b));

const cardText = (card) =>
  isProduct(card) ? `${parts(card).colour} ${parts(card).value}` : isDollar(card) ? `$${value(card)}` : ACTIONS[card][0];
const handText = (cards) =>
  sorted(Object.keys(cards))
    .map((card) => (cards[card] > 1 ? `${cards[card]}×` : "") + cardText(card))
    .join(", ");
const faceDown = (count) => (count === 1 ? "a card face-down" : `${count} cards face-down`);
const counted = (cards) => {
  const found = {};
  for (const card of cards) found[card] = (found[card] ?? 0) + 1;
  return found;
};

// Events in words

function laidText(e) {
  const shown = e.cards.map(cardText).join(", ");
  const down = e.hidden_count
    ? `${e.cards.length ? " and " : ""}${faceDown(e.hidden_count)}${e.hidden ? ` (${handText(e.hidden)})` : ""}`
    : "";
  return `${shown}${down}, ${e.total} in all.`;
}

function lostText(e) {
  if (!e.cards.length && !e.hidden_count) return "";
  const down = e.hidden_count ? `${e.cards.length ? " and " : ""}${faceDown(e.hidden_count)}` : "";
  return ` and discards ${e.cards.map(cardText).join(", ")}${down}${e.revealed && e.hidden_count ? `: ${handText(e.revealed)}` : ""}`;
}

const SENTENCES = {
  starter_drawn: (e, who) => `By lot, ${who(e.seat)} opens the first auction.`,
  top_revealed: (e) => `From ${country(good(e.token).colour)}, the next goods are ${goodText(e.token)}.`,
  hand_dealt: (e, who) => (e.cards ? `${who(e.seat)} is dealt ${handText(counted(e.cards))}.` : ""),
  auction_opened: (e, who) => `${who(e.seat)} goes to ${country(good(e.token).colour)} for ${goodText(e.token)}: ${laidText(e)}`,
  cards_placed: (e, who) => `${who(e.seat)} lays ${laidText(e)}`,
  withdrawn: (e, who) => `${who(e.seat)} withdraws${lostText(e)}.${e.owes_token ? " A $10 has lost: it costs a token." : ""}`,
  auction_won: (e, who) => `${who(e.seat)} wins ${goodText(e.token)}${lostText(e)}.`,
  start_skipped: (e, who) => `${who(e.seat)} has no product to open with.`,
  deck_reshuffled: (e) => `The discard, ${e.count} cards, becomes the deck.`,
  card_drawn: (e, who) => (e.card ? `${who(e.seat)} draws ${cardText(e.card)}.` : ""),
  action_played: (e, who) => `${who(e.seat)} plays ${ACTIONS[e.card][0]}${e.target_seat === null ? "" : ` on ${who(e.target_seat)}`}.`,
  card_taken: (e, who) => `${who(e.seat)} takes ${e.card ? cardText(e.card) : "a card"} out of ${who(e.source)}'s hand.`,
  dollar_asked: (e, who) => {
    if (e.answer) return `${who(e.target_seat)} has to give ${who(e.seat)} ${e.card ? cardText(e.card) : "a dollar"}.`;
    const hand = e.shown ?? e.hand;
    const to = e.shown ? " and shows the hand to all" : e.hand ? ` and shows ${who(e.seat)} the hand` : "";
    return `${who(e.target_seat)} has no dollar${to}${hand ? `: ${handText(hand)}` : ""}.`;
  },
  table_discarded: (e, who) => `${who(e.seat)} loses ${e.cards.map(cardText).join(", ")}.`,
  taken_back: (e, who) => `${who(e.seat)} takes ${cardText(e.card)} back.`,
  cards_swapped: (e, who) =>
    `${who(e.seat)}'s ${cardText(e.card)} and ${who(e.target_seat)}'s ${cardText(e.target_card)} change places.`,
  token_taken: (e, who) => `${goodText(e.token)} goes on ${who(e.seat)}'s car.`,
  token_returned: (e, who) => `${goodText(e.token)} goes back on its stack${e.seat === null ? "" : ` off ${who(e.seat)}'s car`}.`,
  target_reached: (e, who) => `${who(e.seat)} has what it takes: place ${e.place}.`,
  seat_left: (e, who) => `${who(e.seat)} leaves the table, place ${e.place}.`,
};

export const sentence = (event, ctx) => kit.tell(event, ctx, SENTENCES);

// Cards, goods, cars

const ACTION_SIGN = ["M13 2 5 14h6l-1 8 9-13h-6Z"];
const DOLLAR_SIGN = ["M12 2v20M17 6.5C14 4 7 4.5 7 8.5c0 5 10 2.5 10 7.5 0 4-7 4.5-10 1.5"];

function face(card) {
  if (isProduct(card)) {
    const { colour, value } = parts(card);
    return h("span", { class: `g-card dem-${colour}` }, h("b", {}, value), kit.icon(SIGNS[colour]), h("span", {}, PRODUCTS[value]), h("span", { class: "g-sr" }, colour));
  }
  if (isDollar(card)) return h("span", { class: "g-card dem-dollar" }, h("b", {}, `$${value(card)}`), kit.icon(DOLLAR_SIGN), h("span", {}, "dollars"));
  return h("span", { class: "g-card dem-action", title: ACTIONS[card][1] }, kit.icon(ACTION_SIGN), h("span", {}, ACTIONS[card][0]));
}

/** A row on the table: face-up cards in their order, then how many face-down. */
const rowCards = (row) => h("div", { class: "g-cards" }, row.cards.map(face), row.hidden > 0 && kit.backs(row.hidden, "face-down card"));

// The table

function seat(view, ctx, at) {
  const table = view.table;
  const row = table.rows[at];
  const bidding = table.bidders.includes(at);
  const tokens = table.cars[at];
  const points = kit.sum(tokens.map((one) => parts(one).value));
  const best = bidding && table.bidders.every((other) => other === at || table.rows[other].total < row.total);
  return kit.place(
    view,
    ctx,
    at,
    {
      out: at in table.places,
      notes: [
        table.prize !== null && table.bidders.length > 0 && !bidding && !(at in table.places) && "withdrew",
        best && row.total > 0 && kit.tag("highest", "good"),
        table.tens.includes(at) && "laid a $10",
        at in table.places && `place ${table.places[at]}`,
        table.resigned.includes(at) && "resigned",
      ],
      figure: bidding ? `bids ${row.total}` : null,
    },
    kit.backs(table.hands[at], "hand card"),
    (row.cards.length > 0 || row.hidden > 0) && rowCards(row),
    h(
      "div",
      { class: "g-line" },
      kit.car(0),
      h("b", {}, `${tokens.length} of ${table.options.countries_target} countries${table.options.variant_points ? `, ${points} of ${table.options.points_target} points` : ""}`),
    ),
    tokens.length > 0 && h("div", { class: "g-line" }, tokens.map((one) => token(one))),
  );
}

function stacks(view) {
  const { stacks: all, options } = view.table;
  return kit.area(
    "The foreign goods",
    {},
    h(
      "div",
      { class: "dem-stacks" },
      COLOURS.map((colour) => {
        const stack = all[colour];
        const left = stack.seen.length + stack.unseen;
        const top = stack.seen.at(-1);
        return h("div", { class: `dem-stack dem-${colour}` }, top ? token(top) : h("span", { class: "g-line" }, kit.icon(SIGNS[colour]), kit.nothing(`${COUNTRIES[colour]}: ${left ? "face-down" : "sold out"}`)), h("span", { class: "g-none" }, `${left} on the stack`));
      }),
    ),
    h("p", { class: "g-hint" }, options.variant_points
      ? `Goods from ${options.countries_target} countries worth ${options.points_target} points together win.`
      : `Whoever first has goods from ${options.countries_target} countries wins.`),
  );
}

function auction(view, ctx) {
  const table = view.table;
  if (!table.prize || table.turn === null) return null;
  const totals = table.bidders.map((at) => table.rows[at].total);
  return kit.area(
    `Bidding for goods from ${country(good(table.prize).colour)}`,
    { class: "g-felt g-centre" },
    h("div", { class: "dem-prize" }, token(table.prize)),
    h("p", { class: "g-big" }, kit.stat("is the highest bid", Math.max(0, ...totals))),
    h("p", { class: "g-hint" }, `Face-up count ${parts(table.prize).colour} products and dollars by their value, face-down any card 1. ${kit.plural(table.bidders.length, "player is", "players are")} in. The last one in gets the goods.`),
  );
}

function own(view, ctx) {
  const hand = view.hand;
  if (!hand) return null;
  const list = (cards) => sorted(Object.keys(cards)).flatMap((card) => kit.range(cards[card]).map(() => face(card)));
  const shown = [hand.shown, view.table.shown].filter(Boolean);
  return kit.area(
    `Your hand: ${kit.plural(kit.size(hand.cards), "card")}`,
    {},
    h("div", { class: "g-cards" }, list(hand.cards)),
    kit.size(hand.hidden) > 0 && [h("h3", {}, "Yours, face-down on the table"), h("div", { class: "g-cards" }, list(hand.hidden))],
    shown.map((one) => h("p", {}, `${ctx.names[one.seat]} last showed ${handText(one.cards) || "an empty hand"}.`)),
  );
}

const WHAT = {
  opening: "choose the goods and lay a first bid.",
  bidding: "bid more than everybody else, or withdraw.",
  swapping: "put the new goods back, or swap them for a token of the car.",
  returning: "give back a token for the $10 that lost.",
};

export function draw(view, ctx) {
  const table = view.table;
  const facts = [
    kit.stat("cards in the deck", table.deck),
    kit.stat("discarded", kit.size(table.discard) + table.discard_unseen),
    table.tens.length > 0 && kit.tag("a $10 lies: no other may be laid", "warn"),
  ];
  const cars = [["On the car", (at) => table.cars[at].map(goodText).join(", ") || "nothing"]];
  return h(
    "div",
    { class: "g g-demoludy" },
    kit.head(view, ctx, WHAT[table.phase], facts, cars),
    h("div", { class: "g-two" }, auction(view, ctx), stacks(view)),
    kit.around(view, ctx, (at) => seat(view, ctx, at)),
    own(view, ctx),
  );
}

// What may be done

/** Cards to lay: face-up in the list `state.up`, in their order, and face-down in the multiset `state.down`. */
function picker(ui, faceUp, tens, faceDown) {
  const { up, down } = ui.state;
  const shown = counted(up);
  const held = (card) => Math.max(faceUp[card] ?? 0, faceDown[card] ?? 0);
  const left = (card) => held(card) - (shown[card] ?? 0) - (down[card] ?? 0);
  const mayUp = (card) => left(card) > 0 && (shown[card] ?? 0) < (faceUp[card] ?? 0) && (card !== TEN || (shown[TEN] ?? 0) < tens);
  const mayDown = (card) => left(card) > 0 && (down[card] ?? 0) + (shown[card] ?? 0) < (faceDown[card] ?? 0);
  const cards = sorted(new Set([...Object.keys(faceUp), ...Object.keys(faceDown)]));
  const small = (key, label, name, open, press) =>
    h("button", { type: "button", class: "g-step", "data-key": key, "aria-label": name, disabled: !open, onclick: press }, label);
  return [
    h(
      "fieldset",
      { class: "g-pick" },
      h("legend", {}, "Your cards: tap one to lay it face-up, or lay it face-down for 1"),
      cards.map((card) =>
        h(
          "div",
          { class: "g-count" },
          h(
            "button",
            {
              type: "button",
              class: "g-option",
              "data-key": `up:${card}`,
              "aria-label": `Lay ${cardText(card)} face-up; ${left(card)} left`,
              disabled: !mayUp(card),
              onclick: () => ui.set({ up: [...up, card] }),
            },
            face(card),
          ),
          h("span", {}, `${left(card)} left`),
          small(`down:${card}`, "face-down", `Lay ${cardText(card)} face-down`, mayDown(card), () => ui.set({ down: { ...down, [card]: (down[card] ?? 0) + 1 } })),
        ),
      ),
    ),
    h(
      "fieldset",
      { class: "g-pick dem-lay" },
      h("legend", {}, "You lay, in this order: tap to take back"),
      up.map((card, index) =>
        h(
          "button",
          { type: "button", class: "g-option", "data-key": `back:${index}`, "aria-label": `Take ${cardText(card)} back`, onclick: () => ui.set({ up: up.filter((_, other) => other !== index) }) },
          face(card),
        ),
      ),
      Object.entries(down).map(([card, count]) =>
        h(
          "button",
          {
            type: "button",
            class: "g-option",
            "data-key": `backdown:${card}`,
            "aria-label": `Take ${cardText(card)}, face-down, back`,
            onclick: () => ui.set({ down: kit.some({ ...down, [card]: count - 1 }) }),
          },
          kit.backs(count, `face-down ${cardText(card)}`, `face-down ${cardText(card)}`),
        ),
      ),
      !up.length && !kit.size(down) && kit.nothing("nothing yet"),
    ),
  ];
}

const laidWorth = (ui) => kit.sum(ui.state.up.map(value)) + kit.size(ui.state.down);
const laidCount = (ui) => ui.state.up.length + kit.size(ui.state.down);
const lying = (ui) => ui.view.table.rows[ui.view.seat].total;

function open(offer, ui) {
  const { colour, up } = ui.state;
  const products = offer.colours[colour] ?? {};
  const why = !(colour in offer.colours) ? "Choose the goods." : up.some(isProduct) ? "" : `Lay at least one ${colour} product face-up.`;
  const goods = ui.view.table.stacks;
  return ui.group(
    "Open an auction",
    "Choose whose top goods are bid for, and lay your first bid: at least one product of that colour.",
    ui.pick({
      key: "colour",
      label: "For the goods of",
      options: Object.keys(offer.colours).map((one) => ({ value: one, label: COUNTRIES[one], face: goods[one].seen.length ? token(goods[one].seen.at(-1)) : h("span", {}, COUNTRIES[one]) })),
      clears: { up: [], down: {} },
    }),
    colour in offer.colours && picker(ui, { ...products, ...offer.dollars }, offer.tens, offer.hidden),
    h("p", { class: "g-total" }, `Your bid: ${laidWorth(ui)}`),
    ui.button({
      key: "open",
      label: colour ? `Open for ${laidWorth(ui)}` : "Open",
      main: true,
      why,
      action: () => ({ type: "demoludy.open", colour, cards: up, hidden: ui.state.down }),
    }),
  );
}

function lay(offer, ui) {
  const bid = ui.offer("demoludy.bid");
  const place = ui.offer("demoludy.place");
  if (bid && place && offer !== bid) return null;
  const worth = laidWorth(ui);
  const least = bid?.at_least ?? 0;
  const laid = () => ({ cards: ui.state.up, hidden: ui.state.down });
  return ui.group(
    "Bid",
    bid ? `Lay cards worth at least ${least} to be the highest; ${lying(ui)} of yours lie already.` : "What you can lay does not make you the highest now. You may lay cards all the same.",
    picker(ui, offer.cards, offer.tens, offer.hidden),
    h("p", { class: "g-total" }, `You lay ${worth}, which makes ${lying(ui) + worth} in all.`),
    ui.row(
      bid &&
        ui.button({
          key: "bid",
          label: `Bid ${lying(ui) + worth}`,
          detail: "and end your turn",
          main: true,
          why: worth >= least ? "" : `${kit.number(least - worth)} more to be the highest.`,
          action: () => ({ type: "demoludy.bid", ...laid() }),
        }),
      place &&
        ui.button({
          key: "place",
          label: "Lay them and go on",
          detail: "your turn goes on",
          why: laidCount(ui) ? "" : "Lay at least one card.",
          action: () => ({ type: "demoludy.place", ...laid() }),
        }),
    ),
  );
}

function playAction(offer, ui) {
  const { action, target, mine, theirs } = ui.state;
  const { names } = ui.ctx;
  const rows = ui.view.table.rows;
  const targets = offer.cards[action];
  const seats = targets?.seats ?? {};
  const own = targets?.own_cards ?? 0;
  const named = seats[target] ?? 0;
  const positions = (row, count) => kit.range(count).map((at) => ({ value: at, label: `${cardText(row.cards[at])}, place ${at + 1}`, face: face(row.cards[at]), detail: `place ${at + 1}` }));
  const why = !targets
    ? "Choose a card."
    : own && mine === undefined
      ? "Choose one of your cards on the table."
      : Object.keys(seats).length && !(target in seats)
        ? "Choose a player."
        : named && theirs === undefined
          ? "Choose one of that player's cards."
          : "";
  return ui.group(
    "Play an action card",
    action ? ACTIONS[action][1] : "It acts at once, and your turn goes on.",
    ui.pick({
      key: "action",
      label: "Card",
      options: Object.keys(offer.cards).map((card) => ({ value: card, label: ACTIONS[card][0] })),
      clears: { target: undefined, mine: undefined, theirs: undefined },
    }),
    own > 0 && ui.pick({ key: "mine", label: "Your card", options: positions(rows[ui.view.seat], own) }),
    Object.keys(seats).length > 0 &&
      ui.pick({ key: "target", label: "Player", options: Object.keys(seats).map((at) => ({ value: at, label: names[at] })), clears: { theirs: undefined } }),
    named > 0 && ui.pick({ key: "theirs", label: `${names[target]}'s card`, options: positions(rows[target], named) }),
    ui.button({
      key: "play",
      label: targets ? `Play ${ACTIONS[action][0]}` : "Play",
      main: true,
      why,
      action: () => ({
        type: "demoludy.play_action",
        card: action,
        ...(target in seats ? { target_seat: Number(target) } : {}),
        ...(own ? { own_card: mine } : {}),
        ...(named ? { target_card: theirs } : {}),
      }),
    }),
  );
}

const tokens = (type, heading, hint, label) => (offer, ui) =>
  ui.group(
    heading,
    hint,
    ui.row(
      offer.colours.map((colour) => {
        const own = ui.view.table.cars[ui.view.seat].find((one) => parts(one).colour === colour);
        return ui.button({ key: `${type}:${colour}`, label: `${label} ${own ? goodText(own) : colour}`, detail: COUNTRIES[colour], action: () => ({ type: `demoludy.${type}`, colour }) });
      }),
    ),
  );

const plain = (type, heading, label, hint, tone = "") => (offer, ui) =>
  ui.group(heading, hint, ui.button({ key: type, label, tone, action: () => ({ type: `demoludy.${type}` }) }));

export function controls(view, ctx) {
  const colours = Object.keys(view.offers.find((offer) => offer.type === "demoludy.open")?.colours ?? {});
  return kit.controls(
    view,
    ctx,
    {
      "demoludy.open": open,
      "demoludy.bid": lay,
      "demoludy.place": lay,
      "demoludy.end_turn": plain("end_turn", "End your turn", "End the turn as the highest bidder", "The next player has to bid more or withdraw."),
      "demoludy.play_action": playAction,
      "demoludy.withdraw": plain("withdraw", "Withdraw", "Withdraw from this auction", "Your cards on the table are lost.", "danger"),
      "demoludy.skip_open": plain("skip_open", "No auction", "Leave the opening to the left", "You have no product that could open; you draw a card."),
      "demoludy.keep_out": plain("keep_out", "Keep your car as it is", "Put the new goods back on their stack", "Your car is full: you may not add goods from another country."),
      "demoludy.swap": tokens("swap", "Or swap", "Give back a token of your car for the goods that you won.", "Give back"),
      "demoludy.return_token": tokens("return_token", "Give back a token", "A $10 of yours has lost: it costs you a token.", "Give back"),
    },
    { colour: colours.length === 1 ? colours[0] : undefined, up: [], down: {} },
  );
}
