/** Perekupai: the market, the buyers, dealers with their cars, and the sale that goes on (perekupai.md). */

import { h } from "../dom.js";
import * as kit from "./kit.js";

export const title = "Perekupai";

const ACCEPTS = { 1: "1", 2: "1 and 2", 3: "2 and 3" };

const cards = (count) => (count === 1 ? "a card" : `${count} cards`);
const surpriseText = (one) => `${one.id} ${one.name} ${kit.signed(one.value)}`;
const plainly = (one) => `${one.name} ${kit.signed(one.value)}`;
const named = (surprises) => kit.listed(surprises.map(plainly));
const frontText = (front) => `${front.maker} ${front.model}, level ${front.level}, ${kit.number(front.purchase)}`;
const techText = (tech) =>
  `sells for ${kit.number(tech.sale)}, ${kit.plural(tech.surprises, "surprise")}${tech.defects.length ? `; ${tech.defects.join(", ")}` : ""}`;
const prefText = (pref) => `${pref.maker ?? pref.model} ${kit.signed(pref.amount)}`;
const buyerText = (buyer) =>
  [buyer.name, `level ${buyer.level}`, `notices below ${buyer.attentiveness}`, `haggles below ${buyer.haggling}`, ...buyer.prefs.map(prefText)].join(", ");

// Events in words

/** What an id was called on the table after or before the event; the id where neither shows it. */
function calls(ctx, wanted) {
  for (const table of [ctx.table, ctx.before].filter(Boolean)) {
    const cars = [...table.cars.flat(), ...table.market.filter(Boolean)];
    const car = cars.find((one) => one.id === wanted);
    if (car) return `${car.front.maker} ${car.front.model}`;
    const seen = [...table.buyers, ...table.cars.flat().flatMap((one) => [...one.shown, ...one.mods])].find((one) => one?.id === wanted);
    if (seen) return seen.name;
    const scam = table.permanents.flat().find((one) => one.id === wanted);
    if (scam) return scam.scam.name;
  }
  return wanted;
}
const onMarket = (ctx, slot) => ctx.table?.market[slot] ? calls(ctx, ctx.table.market[slot].id) : `#${slot}`;

const PARTS = { defects: "seen", surprise_mods: "modifications", scam_mods: "scams", haggle: "haggling", preferences: "likes", sale_bonus: "bonus", deltas: "cards" };

function soldText(e, who, ctx) {
  const { price } = e;
  const why = Object.keys(PARTS).filter((part) => price[part]).map((part) => `, ${PARTS[part]} ${kit.signed(price[part])}`);
  return `${who(e.seat)} sells ${calls(ctx, e.car)} to ${calls(ctx, e.buyer)} for ${kit.number(price.final)} (${kit.number(price.sale)}${why.join("")}).`;
}

const SENTENCES = {
  dealer_drawn: (e, who) => `${who(e.seat)} is ${e.dealer.name}. ${e.dealer.text}`,
  first_seat_drawn: (e, who) => `By lot, ${who(e.seat)} begins.`,
  round_started: (e) => `Round ${e.round}${e.final ? ", the last one" : ""}.`,
  turn_started: (e, who) => `It is ${who(e.seat)}'s turn.`,
  end_triggered: (e, who) => `${who(e.seat)} ${e.reason === "money" ? "has the money" : "bought the last car"}: one more round after this one.`,
  money_asked: (e, who) => `${who(e.seat)} asks: ${who(e.asked)} has ${kit.number(e.cash)}.`,
  market_refilled: (e) => `On the market, #${e.slot}: ${frontText(e.car.front)}.`,
  buyer_revealed: (e) => `A buyer: ${buyerText(e.buyer)}.`,
  buyers_reshuffled: (e) => `The buyers are shuffled: ${e.count} in the deck.`,
  surprises_reshuffled: (e) => `The used surprises are shuffled: ${e.count} in the deck.`,
  cards_reshuffled: (e) => `The used cards are shuffled: ${e.count} in the deck.`,
  cards_drawn: (e, who) =>
    `${who(e.seat)} draws ${cards(e.count)}${e.cards ? `: ${kit.listed(e.cards.map((held) => held.card.acquisition.name))}` : ""}.`,
  cards_discarded: (e, who) => `${who(e.seat)} discards ${kit.listed(e.cards.map((card) => card.acquisition.name))}.`,
  car_inspected: (e, who, ctx) => `${who(e.seat)} looks at ${onMarket(ctx, e.slot)}${e.tech ? `: ${techText(e.tech)}` : ""}.`,
  buy_declined: (e, who) => `${who(e.seat)} buys nothing.`,
  car_bought: (e, who, ctx) => `${who(e.seat)} buys ${calls(ctx, e.car)} for ${kit.number(e.price)}: ${techText(e.tech)}.`,
  surprises_drawn: (e, who, ctx) => {
    const hidden = e.ids.length - e.mods.length;
    const down = e.defects?.length ? [`face-down ${named(e.defects)}`] : hidden ? [`${hidden} face-down`] : [];
    return `With ${calls(ctx, e.car)} come ${kit.listed([...e.mods.map(plainly), ...down])}.`;
  },
  surprises_repaired: (e, who) => `${who(e.seat)} repairs ${named(e.surprises)} for ${kit.number(e.cost)}.`,
  worked: (e, who) => `${who(e.seat)} works as a loader for ${e.amount}.`,
  scrapped: (e, who, ctx) => `${who(e.seat)} pushes ${calls(ctx, e.car)} into the scrap heap for ${e.amount}. Everyone laughs.`,
  sale_started: (e, who, ctx) => `${who(e.seat)} offers ${calls(ctx, e.car)} to ${calls(ctx, e.buyer)}.`,
  buyer_dismissed: (e, who, ctx) => `${calls(ctx, e.buyer)} leaves.`,
  buyer_chosen: (e, who, ctx) => `${who(e.seat)} tries ${calls(ctx, e.buyer)}.`,
  sale_abandoned: (e, who) => `${who(e.seat)} keeps the car.`,
  die_rolled: (e, who, ctx) => {
    const more = [e.bonus, e.deltas].filter(Boolean).map(kit.signed);
    return `A test of ${e.test}${e.surprise ? `, ${calls(ctx, e.surprise)}` : ""}: ${[e.die, ...more].join(" ")}${more.length ? ` = ${e.total}` : ""} against ${e.target}.`;
  },
  roll_modified: (e) => `${kit.signed(e.delta)}: the total is ${e.total}.`,
  roll_resolved: (e) => `The test is ${e.won ? "won" : "lost"}.`,
  surprise_revealed: (e, who, ctx) => `On ${calls(ctx, e.car)} everybody sees ${plainly(e.surprise)}.`,
  surprise_unnoticed: (e, who, ctx) => `${calls(ctx, e.surprise)} goes unnoticed.`,
  surprise_skipped: (e, who, ctx) => `Nobody will ask about ${calls(ctx, e.surprise)}.`,
  price_changed: (e) => `The price changes by ${kit.signed(e.delta)}.`,
  car_sold: soldText,
  scam_played: (e, who, ctx) =>
    e.mod
      ? `${who(e.seat)} puts ${plainly(e.mod)} on ${calls(ctx, e.car)}.`
      : `${who(e.seat)} plays ${e.permanent.scam.name} beside the dealer: ${e.permanent.scam.text}`,
  permanent_replaced: (e, who, ctx) => `${who(e.seat)} gives up ${calls(ctx, e.permanent)}.`,
  acquisition_played: (e, who, ctx) => {
    const on = e.targets.filter(Boolean).map((target) => (Number.isInteger(target.seat) ? who(target.seat) : kit.listed((target.ids ?? []).map((one) => calls(ctx, one)))));
    return `${who(e.seat)} plays ${e.acquisition.name}${on.length ? ` on ${kit.listed(on)}` : ""}: ${e.acquisition.text}`;
  },
  effect_applied: (e) => (e.done ? "" : "It does nothing: what it was played on is gone."),
  acquisition_cancelled: () => "It has no effect.",
  choice_asked: (e, who) => {
    const { pick } = e;
    return `${who(pick.seat)} ${pick.what === "reveal" ? "shows" : "discards"} ${pick.count} of ${pick.what === "reveal" ? kit.listed(pick.cards) : "the own cards"}.`;
  },
  mod_destroyed: (e, who, ctx) => `${calls(ctx, e.mod)} on ${calls(ctx, e.car)} is broken.`,
  card_stolen: (e, who) =>
    `${who(e.seat)} takes ${e.card ? e.card.card.acquisition.name : "a card"} from ${who(e.source)}${e.lost ? `, ${e.lost}` : ""}.`,
  defect_removed: (e, who) => `${who(e.seat)} gets ${plainly(e.surprise)} repaired for nothing.`,
  surprises_peeked: (e, who, ctx) => `${who(e.seat)} looks under ${calls(ctx, e.car)} of ${who(e.owner)}${e.surprises ? `: ${named(e.surprises)}` : ""}.`,
  market_cycled: (e, who, ctx) => `${kit.listed(e.cars.map((car) => calls(ctx, car)))} ${e.cars.length === 1 ? "goes" : "go"} under the deck.`,
  discount_granted: (e) => `${e.amount} less are to be paid.`,
  extra_action_granted: (e) => `That is ${e.count} more to do in this turn.`,
  seat_left: (e, who) => `${who(e.seat)} leaves ${e.cash} and ${cards(e.cards)}, and has place ${e.place}.`,
  play_ended: (e, who) =>
    `The money is counted: ${kit.listed(e.scores.map((score, seat) => `${who(seat)} ${score.total} (${score.cash} + ${score.end_bonus} + cars ${score.cars})`))}.`,
};

export const sentence = (event, ctx) => kit.tell(event, ctx, SENTENCES);

// Cards

const hue = (maker) => ({ "--c": `var(--seat-${kit.sum([...maker].map((letter) => letter.codePointAt(0))) % 6})` });
const id = (text) => h("span", { class: "per-id" }, text);
const level = (of) => h("span", { class: "per-level", role: "img", "aria-label": `level ${of}` }, "★".repeat(of));
const tech = (known) => h("p", {}, kit.tag("you know", "mine"), ` ${techText(known)}`);

function marketCar(view, car, slot) {
  if (!car) return h("div", { class: "per-card" }, kit.nothing(`#${slot}: no car`));
  const known = view.hand?.techs[car.id];
  return h(
    "div",
    { class: "per-card", style: hue(car.front.maker) },
    h("header", {}, id(`#${slot}`), id(car.id), level(car.front.level)),
    kit.car(car.front.level - 1),
    h("b", {}, `${car.front.maker} ${car.front.model}`),
    h("span", {}, "costs ", h("span", { class: "per-price" }, kit.number(car.front.purchase))),
    known ? tech(known) : kit.nothing("not looked at"),
    view.table.buying?.inspected.includes(slot) && kit.tag("inspected"),
  );
}

function buyerCard(buyer) {
  if (!buyer) return h("div", { class: "per-card" }, kit.nothing("no buyer"));
  return h(
    "div",
    { class: "per-card" },
    h("header", {}, id(buyer.id), h("b", {}, buyer.name)),
    h("span", {}, `cars of level ${ACCEPTS[buyer.level]}; notices below ${buyer.attentiveness}, haggles below ${buyer.haggling}`),
    buyer.prefs.length > 0 && h("span", { class: "g-line" }, buyer.prefs.map((pref) => kit.tag(prefText(pref), pref.amount > 0 ? "good" : "bad"))),
  );
}

function ownedCar(view, car) {
  const known = view.hand?.surprises ?? {};
  const sale = view.table.sale?.car === car.id ? view.table.sale : null;
  return h(
    "div",
    { class: "per-car", style: hue(car.front.maker) },
    h("div", { class: "g-line" }, kit.car(car.front.level - 1), id(car.id), h("b", {}, `${car.front.maker} ${car.front.model}`), level(car.front.level)),
    h("span", {}, `bought at ${kit.number(car.front.purchase)}, sells for `, h("span", { class: "per-price" }, kit.number(car.tech.sale)), sale && kit.tag("on sale", "warn")),
    h(
      "div",
      { class: "g-line" },
      car.hidden.map((one) =>
        kit.tag(
          `▒ ${known[one] ? surpriseText(known[one]) : `${one} face-down`}${sale?.unnoticed.includes(one) ? " · unnoticed" : sale?.skipped.includes(one) ? " · not asked about" : ""}`,
        ),
      ),
      car.shown.map((one) => kit.tag(surpriseText(one), "bad")),
      car.mods.map((one) => kit.tag(surpriseText(one), "good")),
      car.hidden.length + car.shown.length + car.mods.length === 0 && kit.nothing("no surprises"),
    ),
  );
}

function handCard(held) {
  const { acquisition, scam } = held.card;
  const half = (kind, one) => [h("span", { class: "g-none" }, kind), h("b", {}, one.name, one.english && h("small", {}, ` (${one.english})`)), h("span", {}, one.text)];
  return h("div", { class: "per-card" }, h("header", {}, id(held.id)), half("Acquisition, played once", acquisition), h("div", { class: "per-half" }, half(scam.type === "permanent" ? "or a scam beside your dealer" : "or a scam on a car", scam).map((part) => h("div", {}, part))));
}

// The table

const goal = (view) => (view.table.options.target_5_6_agreed && view.table.cash.length >= 5 ? 4000 : view.table.options.target);

function seat(view, ctx, at) {
  const table = view.table;
  const out = table.out.includes(at);
  const dealer = table.dealers[at];
  const share = Math.min(100, Math.round((100 * table.cash[at]) / goal(view)));
  return kit.place(
    view,
    ctx,
    at,
    {
      out,
      notes: [
        kit.onTurn(view, at),
        table.trigger?.seat === at && kit.tag("ends the game", "warn"),
        out && "resigned",
      ],
      figure: kit.number(table.cash[at]),
    },
    !out && h("div", { class: "per-meter", role: "img", "aria-label": `${share} % of the money that ends the game` }, h("i", { style: { width: `${share}%` } })),
    !out && kit.backs(table.hands[at], "hand card"),
    dealer && h("p", {}, h("b", {}, dealer.name), h("small", {}, ` ${dealer.text}`)),
    table.permanents[at].map((one) => h("p", {}, id(one.id), h("b", {}, ` ${one.scam.name}`), h("small", {}, ` ${one.scam.text}`))),
    table.cars[at].map((car) => ownedCar(view, car)),
    !out && !table.cars[at].length && kit.nothing("no car"),
  );
}

const liked = (buyer, front) => kit.sum((buyer?.prefs ?? []).filter((pref) => pref.maker === front.maker || pref.model === front.model).map((pref) => pref.amount));

/** What the car on sale would bring if nothing else came up: [what, amount] for each part (perekupai.md §7.3). */
function priceParts(table, car, buyer) {
  const bonuses = [...(table.dealers[table.turn]?.effects ?? []), ...table.permanents[table.turn].flatMap((one) => one.scam.effects)];
  return [
    ["seen", kit.sum(car.shown.map((one) => one.value))],
    ["modifications", kit.sum(car.mods.map((one) => one.value))],
    ["likes", liked(buyer, car.front)],
    ["bonus", kit.sum(bonuses.filter((one) => one.op === "sale_bonus").map((one) => one.amount))],
    ["haggling", table.sale.haggle],
    ["cards", table.sale.delta],
  ].filter(([, amount]) => amount);
}

function sale(view, ctx) {
  const { sale: on, turn, options } = view.table;
  if (!on || turn === null) return null;
  const car = view.table.cars[turn].find((one) => one.id === on.car);
  const buyer = view.table.buyers.find((one) => one?.id === on.buyer);
  const { rolled } = on;
  const parts = car ? priceParts(view.table, car, buyer) : [];
  return kit.area(
    `${ctx.names[turn]} sells ${calls(ctx, on.car)}`,
    { class: "g-felt g-centre" },
    car && h("p", { class: "g-big" }, h("span", { style: hue(car.front.maker) }, kit.car(car.front.level - 1)), "→", buyer ? buyer.name : "nobody yet"),
    car &&
      h(
        "p",
        {},
        "Would bring ",
        h("b", { class: "per-price" }, kit.number(Math.max(options.price_floor, car.tech.sale + kit.sum(parts.map(([, amount]) => amount))))),
        ` if nothing more came up: ${kit.number(car.tech.sale)}`,
        parts.map(([what, amount]) => `, ${what} ${kit.signed(amount)}`),
        ".",
      ),
    rolled && [
      h("p", { class: "g-line" }, `Test of ${rolled.test}${rolled.surprise ? `, ${rolled.surprise}` : ""}: `, kit.die(rolled.die), `${rolled.total} against ${rolled.target}`, kit.tag(rolled.total >= rolled.target ? "would be won" : "would be lost", rolled.total >= rolled.target ? "good" : "bad")),
      h("p", { class: "g-hint" }, rolled.test === "attentiveness" ? "If it is lost, the buyer notices the surprise and pays less." : "Won, the price rises; lost, it falls."),
    ],
  );
}

function stack(view, ctx) {
  const { stack: played, picks } = view.table;
  if (!played.length && !picks.length) return null;
  return kit.area(
    "Cards that were played",
    { class: "g-felt" },
    [...played].reverse().map((one, at) => h("div", { class: "per-card" }, h("header", {}, kit.who(ctx, one.seat), h("b", {}, one.acquisition.name), at === 0 && kit.tag("on top", "warn")), h("span", {}, one.acquisition.text))),
    picks.map((pick) => h("p", {}, `${ctx.names[pick.seat]} has to ${pick.what} ${pick.count}.`)),
  );
}

const own = (view) =>
  view.hand &&
  kit.area(
    `Your cards: ${view.hand.cards.length} (at most ${view.table.options.hand_limit})`,
    {},
    view.hand.cards.length ? h("div", { class: "per-cards" }, view.hand.cards.map(handCard)) : kit.nothing("no card"),
  );

const WHAT = {
  gap: "buy, repair, sell, work or scrap, and play cards.",
  buy: "look at cars and buy one, or nothing.",
  sale_open: "play a card into the sale before its tests, or pass.",
  sale_pick_buyer: "try another buyer, or keep the car.",
  att_window: "play a card on the test of attentiveness, or pass.",
  hag_window: "play a card on the test of haggling, or pass.",
  final_window: "play a card before the car is paid for, or pass.",
  react: "answer the card that was played, or pass.",
  pick: "choose what the card asks for.",
  discard_down: "discard what is over the hand limit.",
  turn_end: "the turn ends.",
};

export function draw(view, ctx) {
  const table = view.table;
  const score = table.scores;
  const columns = score
    ? [
        ["Cash", (at) => kit.number(score[at].cash)],
        ["Bonus", (at) => kit.number(score[at].end_bonus)],
        ["Unsold cars", (at) => kit.number(score[at].cars)],
      ]
    : [];
  const facts = [
    `round ${table.round}`,
    table.final && kit.tag("the last round", "warn"),
    table.trigger && !table.final && kit.tag("one more round after this one", "warn"),
    table.turn !== null && kit.stat(table.actions_left === 1 ? "action left" : "actions left", table.actions_left),
    `${kit.number(goal(view))} end the game`,
    `to come: ${kit.plural(table.car_deck, "car")}, ${kit.plural(table.buyer_deck, "buyer")}, ${kit.plural(table.card_deck, "card")}, ${kit.plural(table.surprise_deck, "surprise")}`,
  ];
  return h(
    "div",
    { class: "g g-perekupai" },
    kit.head(view, ctx, WHAT[view.phase], facts, columns),
    (table.sale || table.stack.length > 0 || table.picks.length > 0) && h("div", { class: "g-two" }, sale(view, ctx), stack(view, ctx)),
    kit.area("Cars on the market", {}, h("div", { class: "per-cards per-market" }, table.market.map((car, slot) => marketCar(view, car, slot)))),
    kit.area("Buyers", {}, h("div", { class: "per-cards" }, table.buyers.map(buyerCard))),
    kit.around(view, ctx, (at) => seat(view, ctx, at)),
    own(view),
  );
}

// What may be done

const anyCar = (ui, car) => ui.view.table.cars.flat().find((one) => one.id === car) ?? ui.view.table.market.find((one) => one?.id === car);
const carName = (ui, car) => {
  const found = anyCar(ui, car);
  return found ? `${car} ${found.front.maker} ${found.front.model}` : car;
};
const buyerName = (ui, buyer) => `${buyer} ${ui.view.table.buyers.find((one) => one?.id === buyer)?.name ?? ""}`;
const held = (ui, card) => ui.view.hand.cards.find((one) => one.id === card)?.card;

/** What an id on the table or in the own hand is, in words. */
function thing(ui, one) {
  const cars = ui.view.table.cars.flat();
  const seen = [...cars.flatMap((car) => [...car.shown, ...car.mods]), ...Object.values(ui.view.hand?.surprises ?? {})].find((other) => other.id === one);
  if (seen) return surpriseText(seen);
  if (anyCar(ui, one)) return carName(ui, one);
  if (ui.view.table.buyers.some((buyer) => buyer?.id === one)) return buyerName(ui, one);
  const card = held(ui, one);
  if (card) return `${one} ${card.acquisition.name} / ${card.scam.name}`;
  const own = ui.view.table.permanents.flat().find((permanent) => permanent.id === one);
  if (own) return `${one} ${own.scam.name}`;
  const under = cars.find((car) => car.hidden.includes(one));
  return under ? `${one}, face-down on ${under.id}` : one;
}

const plain = (type, heading, label, hint, tone = "") => (offer, ui) =>
  ui.group(heading, hint, ui.button({ key: type, label, tone, action: () => ({ type: `perekupai.${type}` }) }));

const work = (offer, ui) =>
  ui.group("Work", "As a loader at the vegetable market; it takes an action.", ui.button({ key: "work", label: `Work for ${offer.amount}`, action: () => ({ type: "perekupai.work" }) }));

function marketNames(ui, slot) {
  const car = ui.view.table.market[slot];
  return `#${slot} ${car.front.maker} ${car.front.model}`;
}

const inspect = (offer, ui) =>
  ui.group(
    "Look at a car",
    "You alone see its technical side: what it sells for, and how many surprises come with it.",
    ui.row(offer.slots.map((slot) => ui.button({ key: `inspect:${slot}`, label: `Look at ${marketNames(ui, slot)}`, action: () => ({ type: "perekupai.inspect", slot }) }))),
  );

const buy = (offer, ui) =>
  ui.group(
    "Buy a car",
    `You have ${kit.number(ui.view.table.cash[ui.view.seat])}. Its surprises come with it.`,
    ui.row(
      kit.numbered(offer.prices).map(([slot, price]) =>
        ui.button({ key: `buy:${slot}`, label: `Buy ${marketNames(ui, slot)}`, detail: `for ${kit.number(price)}`, action: () => ({ type: "perekupai.buy", slot }) }),
      ),
    ),
  );

function repair(offer, ui) {
  const { repairCar: car, repairs } = ui.state;
  const costs = offer.cars[car] ?? {};
  const cost = kit.sum(repairs.map((one) => costs[one]));
  const why = !(car in offer.cars) ? "Choose a car." : !repairs.length ? "Choose what is repaired." : cost > offer.cash ? `You have ${kit.number(offer.cash)} only.` : "";
  return ui.group(
    "Repair",
    "Half of what each defect takes off the price. It takes an action for as many defects of one car as you like.",
    ui.pick({ key: "repairCar", label: "Car", options: Object.keys(offer.cars).map((one) => ({ value: one, label: carName(ui, one) })), clears: { repairs: [] } }),
    car in offer.cars && ui.toggles({ key: "repairs", label: "Defects", options: Object.entries(costs).map(([one, price]) => ({ value: one, label: thing(ui, one), detail: `costs ${price}` })) }),
    ui.button({
      key: "repair",
      label: repairs.length ? `Repair ${kit.plural(repairs.length, "defect")} for ${kit.number(cost)}` : "Repair",
      main: true,
      why,
      action: () => ({ type: "perekupai.repair", car, surprises: repairs }),
    }),
  );
}

function likes(ui, buyer, car) {
  const found = ui.view.table.buyers.find((one) => one?.id === buyer);
  const amount = liked(found, anyCar(ui, car).front);
  return amount ? `pays ${kit.signed(amount)} for such a car` : "";
}

const sell = (offer, ui) =>
  ui.group(
    "Sell a car",
    "The buyer may notice what is hidden, then haggles.",
    Object.entries(offer.cars).map(([car, buyers]) =>
      h(
        "div",
        { class: "g-line" },
        h("b", {}, carName(ui, car)),
        buyers.map((buyer) => ui.button({ key: `sell:${car}:${buyer}`, label: `Sell to ${buyerName(ui, buyer)}`, detail: likes(ui, buyer, car), action: () => ({ type: "perekupai.start_sale", car, buyer }) })),
      ),
    ),
  );

const chooseBuyer = (offer, ui) =>
  ui.group(
    "Another buyer",
    "The first one has left. Offer the car to somebody else.",
    ui.row(
      offer.buyers.map((buyer) =>
        ui.button({ key: `buyer:${buyer}`, label: `Try ${buyerName(ui, buyer)}`, detail: likes(ui, buyer, ui.view.table.sale?.car), action: () => ({ type: "perekupai.choose_buyer", buyer }) }),
      ),
    ),
  );

const scrap = (offer, ui) =>
  ui.group(
    "Scrap a car",
    "It is gone, with everything on it; it takes an action.",
    ui.row(Object.entries(offer.cars).map(([car, amount]) => ui.button({ key: `scrap:${car}`, label: `Scrap ${carName(ui, car)}`, detail: `for ${kit.number(amount)}`, tone: "danger", action: () => ({ type: "perekupai.scrap", car }) }))),
  );

function scam(offer, ui) {
  const play = (card, key, label, where) => ui.button({ key: `scam:${card}:${key}`, label, action: () => ({ type: "perekupai.play_scam", card, ...where }) });
  return ui.group(
    "Play a scam",
    "The lower half of a card; it takes no action.",
    Object.entries(offer.cards).map(([card, places]) => {
      const one = held(ui, card).scam;
      return h(
        "div",
        { class: "per-card" },
        h("span", {}, id(card), h("b", {}, ` ${one.name}`), `: ${one.text}`),
        ui.row(
          (places.cars ?? []).map((car) => play(card, car, `Put on ${carName(ui, car)}`, { car })),
          places.beside && play(card, "beside", "Put beside the dealer", {}),
          (places.replace ?? []).map((replace) => play(card, replace, `In the place of ${thing(ui, replace)}`, { replace })),
        ),
      );
    }),
  );
}

/** Why an acquisition's targets are not complete yet, "" if they are. */
function targetsWhy(choices, targets) {
  for (const [at, choice] of choices.entries()) {
    const target = targets[at];
    if (choice.seats?.length ? target?.seat === undefined : !target?.ids?.length) return choice.seats?.length ? "Choose a player." : "Choose what it is played on.";
  }
  return "";
}

function target(ui, choice, at) {
  const targets = ui.state.targets;
  const put = (value) => ui.set({ targets: Object.assign([...targets], { [at]: value }) });
  const option = (value, label, on, press, closed = false) =>
    h("button", { type: "button", class: "g-option", "data-key": `target:${at}:${value}`, "aria-pressed": String(on), disabled: closed, onclick: press }, label);
  if (choice.seats?.length)
    return h("fieldset", { class: "g-pick" }, h("legend", {}, "On whom"), choice.seats.map((seat) => option(seat, ui.ctx.names[seat], targets[at]?.seat === seat, () => put({ seat }))));
  const most = choice.most ?? 1;
  const ids = targets[at]?.ids ?? [];
  const group = choice.groups.find((one) => ids.every((chosen) => one.includes(chosen)));
  return h(
    "fieldset",
    { class: "g-pick" },
    h("legend", {}, most > 1 ? `On up to ${most}${choice.groups.length > 1 ? ", all of one car" : ""}` : "On what"),
    choice.groups.flat().map((one) => {
      const on = ids.includes(one);
      const next = on ? ids.filter((other) => other !== one) : most === 1 ? [one] : [...ids, one];
      const closed = !on && most > 1 && (ids.length >= most || (ids.length > 0 && !group.includes(one)));
      return option(one, thing(ui, one), on, () => put({ ids: next }), closed);
    }),
  );
}

function acquisition(offer, ui) {
  const { card, targets } = ui.state;
  const choices = offer.cards[card];
  return ui.group(
    "Play an acquisition",
    "The upper half of a card; it takes no action.",
    h(
      "fieldset",
      { class: "g-pick" },
      h("legend", {}, "Card"),
      Object.keys(offer.cards).map((one) => {
        const { name, text } = held(ui, one).acquisition;
        return h(
          "button",
          { type: "button", class: "g-option per-choice", "data-key": `card:${one}`, "aria-pressed": String(card === one), onclick: () => ui.set({ card: one, targets: [] }) },
          h("b", {}, name),
          h("small", {}, text),
        );
      }),
    ),
    choices?.map((choice, at) => target(ui, choice, at)),
    ui.button({
      key: "play",
      label: choices ? `Play ${held(ui, card).acquisition.name}` : "Play",
      main: true,
      why: choices ? targetsWhy(choices, targets) : "Choose a card.",
      action: () => ({ type: "perekupai.play_acquisition", card, targets }),
    }),
  );
}

const exactly = (type, key) => (offer, ui) => {
  const chosen = ui.state[key];
  const what = type === "discard" || offer.what === "discard" ? "Discard" : "Show";
  return ui.group(
    `${what} ${offer.count === 1 ? "one" : offer.count}`,
    what === "Show" ? "Everybody sees what you choose." : "They go to the used pile, face-up.",
    ui.toggles({ key, label: `Choose ${offer.count}`, options: offer.cards.map((one) => ({ value: one, label: thing(ui, one) })), most: offer.count }),
    ui.button({
      key: type,
      label: what,
      main: true,
      why: chosen.length === offer.count ? "" : `${offer.count - chosen.length} more to choose.`,
      action: () => ({ type: `perekupai.${type}`, cards: chosen }),
    }),
  );
};

const ask = (offer, ui) =>
  ui.group(
    "Ask for money",
    "How much a player has; the table shows it anyway.",
    ui.row(offer.seats.map((seat) => ui.button({ key: `ask:${seat}`, label: `Ask ${ui.ctx.names[seat]}`, action: () => ({ type: "perekupai.ask_money", seat }) }))),
  );

export function controls(view, ctx) {
  const fixed = Object.keys(view.offers.find((offer) => offer.type === "perekupai.repair")?.cars ?? {});
  return kit.controls(
    view,
    ctx,
    {
      "perekupai.choose": exactly("choose", "chosen"),
      "perekupai.discard": exactly("discard", "discarded"),
      "perekupai.play_acquisition": acquisition,
      "perekupai.pass": plain("pass", "Pass", "Play nothing", "The others are asked next, then it goes on."),
      "perekupai.start_buy": plain("start_buy", "Buy a car", "Go to the market", "It takes an action, whether you buy or not. You may look at some cars first."),
      "perekupai.buy": buy,
      "perekupai.inspect": inspect,
      "perekupai.decline_buy": plain("decline_buy", "Or nothing", "Buy nothing", "The action is used up."),
      "perekupai.start_sale": sell,
      "perekupai.choose_buyer": chooseBuyer,
      "perekupai.abandon_sale": plain("abandon_sale", "Or keep it", "Keep the car", "The action is used up."),
      "perekupai.repair": repair,
      "perekupai.work": work,
      "perekupai.play_scam": scam,
      "perekupai.scrap": scrap,
      "perekupai.end_turn": plain("end_turn", "End your turn", "End the turn", "The actions that are left are lost."),
      "perekupai.ask_money": ask,
    },
    { repairCar: fixed.length === 1 ? fixed[0] : undefined, repairs: [], targets: [], chosen: [], discarded: [] },
  );
}
