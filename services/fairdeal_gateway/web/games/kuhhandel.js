/** Kuhhandel: animals, the auction or trade that runs, hidden heaps of money (kuhhandel.md). */

import { h, svg } from "../dom.js";
import * as kit from "./kit.js";

export const title = "Kuhhandel";

const VALUES = { rooster: 10, goose: 40, cat: 90, dog: 160, sheep: 250, goat: 350, donkey: 500, pig: 650, cow: 800, horse: 1000 };
const SPECIES = Object.keys(VALUES);
const MANY = { goose: "geese", sheep: "sheep" };
const NOTES = ["0", "10", "20", "50", "100", "200", "500"];
const PAYS = [50, 100, 200, 500];
const ENDS = {
  all_complete: "Every quartet is complete.",
  trade_limit: "The limit of trades is reached.",
  all_resigned: "Nobody is left to play.",
};

const total = (heap) => kit.sum(Object.entries(heap).map(([note, count]) => Number(note) * count));
const some = (species, count) => (count === 1 ? `a ${species}` : `${count} ${MANY[species] ?? `${species}s`}`);
const lotText = (lot) => kit.listed([...new Set(lot)].map((species) => some(species, lot.filter((one) => one === species).length)));
const heapText = (heap) => NOTES.filter((note) => heap[note]).map((note) => `${heap[note]}×${note}`).join(" ") || "nothing";
const going = (calls) => ["", "going once", "going twice", "going three times"][calls];
const hidden = (count) => (!count ? "no card" : count === 1 ? "a hidden card" : `${count} hidden cards`);
const cards = (heap, count) => (heap ? heapText(heap) : hidden(count));
const stakeText = (trade) => some(trade.species, trade.stake);

// Events in words

const SENTENCES = {
  starter_drawn: (e, who) => `By lot, ${who(e.seat)} begins.`,
  money_dealt: (e) => `Everybody gets ${heapText(e.cards)}.`,
  seat_skipped: (e, who) => `${who(e.seat)} has nothing to trade.`,
  auction_started: (e, who) => `${who(e.auctioneer)} auctions ${lotText(e.lot)}, ${kit.plural(e.deck_left, "animal")} to come.`,
  donkey_paid_out: (e) => `Donkey number ${e.ordinal}: everybody gets ${e.denomination}.`,
  bid_made: (e, who) => `${who(e.seat)} bids ${e.amount}.`,
  passed: (e, who) => `${who(e.seat)} passes.`,
  called: (e, who) => `${who(e.auctioneer)}: ${e.high || "nobody"}: ${going(e.step)}!`,
  auction_closed: (e, who) => (e.bidder === null ? "Nobody bids." : `The bidding is closed at ${e.price} by ${who(e.bidder)}.`),
  preempted: (e, who) => `${who(e.auctioneer)} buys for ${e.price}.`,
  sold: (e, who) => `Sold to ${who(e.bidder)} for ${e.price}.`,
  bidder_exposed: (e, who) => `${who(e.seat)} cannot pay and shows ${heapText(e.cards)}.`,
  payment_made: (e, who) => {
    const seen = e.cards ?? e.shown;
    if (seen) return `${who(e.payer)} pays ${who(e.payee)} with ${heapText(seen)} for the price of ${e.price}.`;
    return `${who(e.payer)} pays ${who(e.payee)} ${e.price} or more${e.count === null ? "" : `, with ${e.count} cards`}.`;
  },
  animals_taken: (e, who) => `${who(e.seat)} takes ${lotText(e.lot)}${e.price ? "" : " for nothing"}.`,
  trade_started: (e, who) => `${who(e.challenger)} offers ${who(e.target)} ${cards(e.cards, e.count)} for ${stakeText(e)}.`,
  trade_reoffered: (e, who) => `${who(e.challenger)} now offers ${cards(e.cards, e.count)}.`,
  trade_accepted: (e, who) =>
    `${who(e.target)} accepts and takes ${cards(e.cards, e.count)}${e.total === null ? "" : `, worth ${e.total}`}.`,
  trade_countered: (e, who) => `${who(e.target)} lays ${cards(e.cards, e.count)} against it.`,
  trade_counted: (e) => {
    if (e.offer && e.counter)
      return `The heaps are counted: ${heapText(e.offer)} against ${heapText(e.counter)}, ${total(e.offer)} to ${total(e.counter)}.`;
    return e.totals ? `The heaps are counted: ${e.totals[0]} to ${e.totals[1]}.` : "";
  },
  trade_tied: (e, who) =>
    `Both heaps are worth the same${e.round === 1 ? `: ${who(e.challenger)} has to offer anew` : " again"}.`,
  trade_resolved: (e, who) => {
    if (e.winner === null) return "The animals stay where they are.";
    const loser = e.winner === e.challenger ? e.target : e.challenger;
    return `${who(e.winner)} gets ${some(e.species, e.animals)} of ${who(loser)}${e.free ? " for nothing" : ""}.`;
  },
  dove_taken: (e, who) => `${who(e.seat)} gets the dove.`,
  play_ended: (e) => ENDS[e.reason],
};

export const sentence = (event, ctx) => kit.tell(event, ctx, SENTENCES);

// Animals: a head each, of a few strokes; `a` is the coat, `b` the other colour

const HEADS = {
  rooster: [["b", "M17 12c0-6 4-8 6-4 2-5 7-3 6 2 4-1 5 3 2 6H17Z"], ["a", "M14 22a10 10 0 0 1 20 0v16H14Z"], ["b", "M14 23 6 26l8 4Z"], ["b", "M15 30c-4 3-3 8 1 8s4-5 2-8Z"]],
  goose: [["a", "M18 40V18a8 8 0 0 1 16 0v22Z"], ["b", "M19 16 6 20l13 5Z"]],
  cat: [["a", "M10 8l9 7h10l9-7v20a14 12 0 0 1-28 0Z"], ["b", "M21 28h6l-3 4Z"], ["l", "M4 26l10 3M4 34l10-2M44 26l-10 3M44 34l-10-2"]],
  dog: [["a", "M13 12h22v18a11 11 0 0 1-22 0Z"], ["b", "M14 11C6 10 5 24 9 30c4-2 5-8 5-12ZM34 11c8-1 9 13 5 19-4-2-5-8-5-12Z"], ["b", "M20 28h8l-4 5Z"]],
  sheep: [["b", "M10 20a6 6 0 0 1 5-9 7 7 0 0 1 9-3 7 7 0 0 1 9 3 6 6 0 0 1 5 9 6 6 0 0 1-5 8H15a6 6 0 0 1-5-8Z"], ["a", "M16 18h16v14a8 9 0 0 1-16 0Z"], ["l", "M21 34q3 3 6 0"]],
  goat: [["b", "M17 15C10 14 7 8 8 3c4 2 10 5 12 10ZM31 15c7-1 10-7 9-12-4 2-10 5-12 10Z"], ["a", "M15 14h18v12l-4 12H19l-4-12Z"], ["b", "M20 37h8l-4 9Z"]],
  donkey: [["a", "M16 20C9 14 10 4 13 2c5 3 8 9 8 15ZM32 20c7-6 6-16 3-18-5 3-8 9-8 15Z"], ["a", "M15 17h18v14l-3 12H18l-3-12Z"], ["b", "M18 35h12v4a6 6 0 0 1-12 0Z"]],
  pig: [["a", "M11 8l8 4h10l8-4-2 8a15 15 0 1 1-22 0Z"], ["b", "M16 27a8 6 0 0 1 16 0 8 6 0 0 1-16 0Z"], ["d", "M21 25v4M27 25v4"]],
  cow: [["b", "M15 14C8 15 5 10 6 5c3 3 7 4 11 4ZM33 14c7 1 10-4 9-9-3 3-7 4-11 4Z"], ["a", "M14 12h20v16l-2 8H16l-2-8Z"], ["b", "M14 34h20v4a8 6 0 0 1-20 0Z"], ["b", "M14 12h8v10q-6 2-8-4Z"]],
  horse: [["a", "M18 8l4-5 3 6c9 4 11 14 10 34H21c2-8 0-11-4-10l-6 3-4-6 8-14Z"], ["b", "M25 9c12 3 14 18 13 34h-5c1-14 0-26-10-31Z"]],
};
const EYES = { rooster: [[20, 21]], goose: [[24, 17]], cat: [[18, 23], [30, 23]], dog: [[19, 21], [29, 21]], sheep: [[20, 23], [28, 23]], goat: [[20, 21], [28, 21]], donkey: [[20, 24], [28, 24]], pig: [[18, 20], [30, 20]], cow: [[19, 24], [29, 24]], horse: [[20, 16]] };

const head = (species) =>
  svg(
    "svg",
    { class: "kuh-head", viewBox: "0 0 48 48", "aria-hidden": "true" },
    HEADS[species].map(([part, d]) => svg("path", { class: `kuh-${part}`, d })),
    EYES[species].map(([cx, cy]) => svg("circle", { cx, cy, r: 2 })),
  );

function animal(species, count) {
  return h(
    "div",
    { class: ["g-card", "kuh-animal", count === 4 && "kuh-full"] },
    head(species),
    h("b", {}, species),
    count > 0 && kit.dots(count, 4, `${count} of 4`),
    h("span", {}, count === 4 ? "quartet ✓ " : "4 are worth ", VALUES[species]),
  );
}

const note = (name) => h("span", { class: ["kuh-note", `kuh-n${name}`] }, name);
const heap = (heap) =>
  h(
    "div",
    { class: "g-line" },
    NOTES.filter((name) => heap[name]).map((name) => h("span", { class: "kuh-notes" }, note(name), heap[name] > 1 && `×${heap[name]}`)),
    !kit.size(heap) && kit.nothing("no money card"),
  );

// The table

const quartets = (animals) => Object.keys(animals).filter((species) => animals[species] === 4);

function seat(view, ctx, at) {
  const table = view.table;
  const auction = table.auction;
  const full = quartets(table.animals[at]);
  const points = kit.sum(full.map((species) => VALUES[species])) * (table.options.scoring === "product" ? full.length : 1);
  const bid = auction?.bids[at];
  return kit.place(
    view,
    ctx,
    at,
    {
      notes: [
        table.turn === at && (auction ? "auctioneer" : !view.to_act.includes(at) && "on turn"),
        bid !== undefined && kit.tag(`bids ${bid}`, auction.high?.seat === at ? "good" : ""),
        auction?.passed.includes(at) && "passed",
        auction && at in auction.exposed && kit.tag("cannot pay", "bad"),
        table.dove === at && kit.tag("dove +500", "good"),
        table.resigned.includes(at) && "resigned",
      ],
      figure: full.length ? kit.plural(points, "point") : null,
    },
    table.money_counts && kit.backs(table.money_counts[at], "money card"),
    auction && at in auction.exposed && h("div", { class: "g-line" }, "shows ", heap(auction.exposed[at])),
    h(
      "div",
      { class: "g-cards" },
      SPECIES.filter((species) => table.animals[at][species]).map((species) => animal(species, table.animals[at][species])),
      !kit.size(table.animals[at]) && kit.nothing("no animals yet"),
    ),
  );
}

/** Every species with its value: who has how many of the four, and how many nobody has yet. */
function herd(view, ctx) {
  const { animals } = view.table;
  return kit.area(
    "All animals",
    {},
    h(
      "ul",
      { class: "kuh-herd" },
      SPECIES.map((species) => {
        const owners = kit.seats(view, ctx).flatMap((at) => kit.range(animals[at][species] ?? 0).map(() => at));
        const said = [...new Set(owners)].map((at) => `${ctx.names[at]} has ${animals[at][species]}`);
        return h(
          "li",
          { class: "g-card" },
          head(species),
          h("span", {}, h("b", {}, kit.number(VALUES[species])), ` ${species}`),
          h("span", { class: "g-sr" }, `${kit.listed([...said, `${4 - owners.length} to come`])}.`),
          h("span", { class: "g-line kuh-gone", "aria-hidden": "true" }, owners.map((at) => kit.badge(ctx, at)), kit.range(4 - owners.length).map(() => h("i"))),
        );
      }),
    ),
  );
}

function auctionArea(view, ctx) {
  const { auction } = view.table;
  const { high } = auction;
  return kit.area(
    `${ctx.names[auction.auctioneer]} auctions ${lotText(auction.lot)}`,
    { class: "g-felt g-centre" },
    h("div", { class: "g-cards" }, auction.lot.map((species) => animal(species, 0))),
    h("p", { class: "g-big" }, high ? high.amount : "no bid yet"),
    high && h("p", { class: "g-line" }, "by ", kit.who(ctx, high.seat)),
    auction.stage === "open" &&
      view.table.options.auction_mode === "open_outcry" &&
      view.table.options.auction_close === "auctioneer_calls" &&
      h("p", { class: "g-line" }, kit.dots(auction.calls, 3, `${auction.calls} of 3 calls`), auction.calls ? `${going(auction.calls)}!` : "three calls close it"),
    auction.payer !== null && h("p", { class: "g-line" }, kit.who(ctx, auction.payer), ` pays ${high.amount} to `, kit.who(ctx, auction.payee)),
  );
}

function tradeArea(view, ctx) {
  const { trade } = view.table;
  const side = (at, count, words) =>
    h("div", { class: "kuh-side" }, kit.who(ctx, at), count === null ? kit.nothing(words) : kit.backs(count, "hidden card"));
  return kit.area(
    `${ctx.names[trade.challenger]} wants ${stakeText(trade)} of ${ctx.names[trade.target]}`,
    { class: "g-felt g-centre" },
    h(
      "div",
      { class: "kuh-trade" },
      side(trade.challenger, trade.offered, "has to offer anew"),
      h("div", { class: "g-cards" }, animal(trade.species, 0), trade.stake > 1 && h("b", {}, `× ${trade.stake}`)),
      side(trade.target, trade.countered, "has not answered"),
    ),
    trade.round === 2 && h("p", {}, kit.tag("second round after a tie", "warn")),
    trade.totals && h("p", {}, `Worth ${trade.totals.filter((one) => one !== null).join(" against ")}.`),
    h("p", { class: "g-hint" }, "The target takes the hidden heap and gives the animals, or lays a hidden heap against it: the higher one gets them, and the heaps are exchanged."),
  );
}

function last(view, ctx) {
  const { last_auction: auction, last_trade: trade } = view.table;
  const lines = [
    auction &&
      h("p", { class: "g-line" }, kit.who(ctx, auction.taker), ` took ${lotText(auction.lot)} ${auction.price ? `for ${auction.price}` : "for nothing"}.`, auction.shown && heap(auction.shown)),
    trade &&
      h(
        "p",
        { class: "g-line" },
        trade.winner === null ? "The last trade moved nothing: " : [kit.who(ctx, trade.winner), ` won ${some(trade.species, trade.animals)}: `],
        `${ctx.names[trade.challenger]} laid ${hidden(trade.offered)}, ${ctx.names[trade.target]} ${trade.countered === null ? "took them" : `laid ${hidden(trade.countered)}`}`,
        trade.totals ? ` (${trade.totals.filter((one) => one !== null).join(" against ")}).` : ".",
      ),
  ].filter(Boolean);
  return lines.length > 0 && kit.area("The last deals", {}, lines);
}

function own(view, ctx) {
  const hand = view.hand;
  if (!hand) return null;
  const paid = hand.last_payment;
  const seen = hand.last_trade;
  return kit.area(
    `Your money: ${kit.number(total(hand.money))}`,
    {},
    heap(hand.money),
    hand.laid && h("div", { class: "g-line" }, "You have laid face-down: ", heap(hand.laid)),
    paid && h("div", { class: "g-line" }, `Last payment, ${ctx.names[paid.payer]} to ${ctx.names[paid.payee]} for ${paid.price}: `, heap(paid.cards)),
    seen &&
      h("div", { class: "g-line" }, `Last trade, ${ctx.names[seen.challenger]} laid `, heap(seen.offer), seen.counter && [` ${ctx.names[seen.target]} laid `, heap(seen.counter)]),
  );
}

const WHAT = { open: "bid, pass or call.", decision: "sell to the high bidder, or buy at the same price.", payment: "pay the price." };

export function draw(view, ctx) {
  const table = view.table;
  const what = table.auction
    ? WHAT[table.auction.stage]
    : table.trade
      ? view.to_act[0] === table.trade.challenger
        ? "offer anew after the tie."
        : "take the hidden heap, or lay one against it."
      : "auction an animal or trade for one.";
  const facts = [
    kit.stat("animals to come", table.deck_left),
    kit.stat("of 4 donkeys seen", table.donkeys),
    table.donkeys < 4 && `the next donkey pays everybody ${PAYS[table.donkeys]}`,
  ];
  const scored = [
    ["Quartets", (at) => quartets(table.animals[at]).map((species) => `${species} ${VALUES[species]}`).join(", ") || "none"],
  ];
  return h(
    "div",
    { class: "g g-kuhhandel" },
    kit.head(view, ctx, what, facts, scored),
    h("div", { class: "g-two" }, table.auction && auctionArea(view, ctx), table.trade && tradeArea(view, ctx), own(view, ctx), last(view, ctx)),
    kit.around(view, ctx, (at) => seat(view, ctx, at)),
    herd(view, ctx),
  );
}

// What may be done

/** The least total of cards out of a hand that is worth the price. */
function leastTotal(hand, price) {
  let sums = new Set([0]);
  for (const [name, count] of Object.entries(hand))
    for (let at = 0; at < count; at++) sums = new Set([...sums, ...[...sums].map((one) => one + Number(name))]);
  return Math.min(...[...sums].filter((one) => one >= price));
}

/** Why these cards are no payment, "" if they are one (kuhhandel.md §6.3). */
function payFault({ price, rule, cards: held }, heap) {
  const paid = total(heap);
  if (paid < price) return `${kit.number(price - paid)} more to pay.`;
  if (rule === "any") return "";
  const smallest = Math.min(...Object.keys(heap).map(Number));
  if (paid - smallest >= price) return smallest ? `The ${smallest} is not needed: take it back.` : "A 0 pays nothing: take it back.";
  if (rule === "exact_if_possible" && paid > price && leastTotal(held, price) === price) return "You can pay this price exactly.";
  return "";
}

/** The cheapest payment, of the fewest cards; null if there is none. */
function cheapest(offer) {
  let best = null;
  const walk = (names, heap) => {
    const paid = total(heap);
    if (paid >= offer.price) {
      const better = !best || paid < total(best) || (paid === total(best) && kit.size(heap) < kit.size(best));
      if (better && !payFault(offer, heap)) best = heap;
      return;
    }
    const [name, ...rest] = names;
    if (name === undefined) return;
    for (let count = Math.min(offer.cards[name], Math.ceil((offer.price - paid) / Number(name))); count >= 0; count--)
      walk(rest, count ? { ...heap, [name]: count } : heap);
  };
  walk(NOTES.filter((name) => Number(name) && offer.cards[name]).reverse(), {});
  return best;
}

const money = (ui, cards, label) =>
  ui.counts({
    key: "heap",
    label,
    items: NOTES.filter((name) => cards[name]).map((name) => ({ id: name, max: cards[name], label: `a ${name}`, face: note(name) })),
  });

const laid = (ui) => {
  const heap = ui.state.heap ?? {};
  return h("p", { class: "g-total" }, `${kit.plural(kit.size(heap), "card")} worth ${kit.number(total(heap))}: ${heapText(heap)}`);
};

/** A heap that is laid face-down; `why` it may not be laid yet. */
const heapWhy = (ui, offer) => (offer.may_be_empty || kit.size(ui.state.heap ?? {}) ? "" : "Lay at least one card.");

function bid(offer, ui) {
  const { value, why } = ui.read("amount", { min: offer.least, max: offer.most, step: offer.step });
  const have = total(ui.view.hand?.money ?? {});
  const lot = ui.view.table.auction.lot;
  return ui.group(
    "Bid",
    `For ${lotText(lot)}, in steps of ${offer.step}, at most ${kit.number(offer.most)}. You have ${kit.number(have)}.`,
    ui.stepper({ key: "amount", label: "Your bid", min: offer.least, max: offer.most, step: offer.step, jumps: [5 * offer.step] }),
    value > have && h("p", { class: "g-why" }, "That is more than you have. It is allowed as a bluff, but if it is accepted you must show your money and are out of this auction."),
    ui.button({ key: "bid", label: value === null ? "Bid" : `Bid ${kit.number(value)}`, main: true, why, action: () => ({ type: "kuhhandel.bid", amount: value }) }),
  );
}

function call(offer, ui) {
  return ui.group(
    "Close the bidding",
    "After the third call nobody can bid any more. A new bid clears the calls.",
    ui.button({
      key: "call",
      label: `${kit.capital(going(offer.step))}: ${offer.high || "nobody bids"}`,
      main: true,
      action: () => ({ type: "kuhhandel.call", step: offer.step, seen_high: offer.high }),
    }),
  );
}

function decide(offer, ui) {
  const { high } = ui.view.table.auction;
  const bidder = ui.ctx.names[high.seat];
  const button = (preempt, label, why = "") =>
    ui.button({ key: `preempt-${preempt}`, label, why, action: () => ({ type: "kuhhandel.decide", preempt }) });
  return ui.group(
    "Sell or buy?",
    "As the auctioneer you may buy for the high bid yourself.",
    ui.row(
      button(false, `Sell: ${bidder} pays you ${high.amount}`),
      button(true, `Buy: you pay ${bidder} ${high.amount}`, offer.affordable ? "" : "You have less than that."),
    ),
  );
}

function pay(offer, ui) {
  const heap = ui.state.heap ?? {};
  return ui.group(
    `Pay ${kit.number(offer.price)}`,
    "No change is given. Tap the cards that you lay.",
    money(ui, offer.cards, "Your money"),
    laid(ui),
    ui.row(
      ui.button({ key: "pay", label: `Pay with ${heapText(heap)}`, main: true, why: payFault(offer, heap), action: () => ({ type: "kuhhandel.pay", cards: heap }) }),
      ui.button({ key: "least", label: "Choose the least", press: () => ui.set({ heap: cheapest(offer) ?? {} }) }),
    ),
  );
}

function trade(offer, ui) {
  const { target, species } = ui.state;
  const common = offer.stakes[target] ?? {};
  const names = ui.ctx.names;
  const stake = common[species];
  const why = !(target in offer.stakes) ? "Choose with whom." : !stake ? "Choose an animal." : heapWhy(ui, offer);
  return ui.group(
    "Trade for animals",
    "Lay money face-down for another player's animals of a species that you both have. They take it, or lay money against it: the higher heap gets the animals, and the heaps are exchanged.",
    ui.pick({
      key: "target",
      label: "With",
      options: Object.keys(offer.stakes).map((at) => ({ value: at, label: names[at], detail: Object.keys(offer.stakes[at]).join(", ") })),
      clears: { species: undefined },
    }),
    target in offer.stakes &&
      ui.pick({
        key: "species",
        label: "For",
        options: Object.entries(common).map(([name, count]) => ({ value: name, label: some(name, count), face: h("span", { class: "kuh-choice" }, head(name), some(name, count)), detail: `4 are worth ${VALUES[name]}` })),
      }),
    money(ui, offer.cards, "Cards that you lay face-down"),
    laid(ui),
    ui.button({
      key: "trade",
      label: stake ? `Offer ${names[target]} ${hidden(kit.size(ui.state.heap ?? {}))} for ${some(species, stake)}` : "Offer",
      main: true,
      why,
      action: () => ({ type: "kuhhandel.start_trade", target: Number(target), species, offer: ui.state.heap ?? {} }),
    }),
  );
}

const lay = (type, heading, hint, label) => (offer, ui) =>
  ui.group(
    heading,
    hint,
    money(ui, offer.cards, "Your money"),
    laid(ui),
    ui.button({
      key: type,
      label: `${label} ${hidden(kit.size(ui.state.heap ?? {}))}`,
      main: true,
      why: type === "counter_trade" ? "" : heapWhy(ui, offer),
      action: () => ({ type: `kuhhandel.${type}`, cards: ui.state.heap ?? {} }),
    }),
  );

const plain = (type, heading, label, hint) => (offer, ui) =>
  ui.group(heading, hint, ui.button({ key: type, label, action: () => ({ type: `kuhhandel.${type}` }) }));

export function controls(view, ctx) {
  const targets = view.offers.find((offer) => offer.type === "kuhhandel.start_trade")?.stakes ?? {};
  const only = (record) => (Object.keys(record).length === 1 ? Object.keys(record)[0] : undefined);
  const target = only(targets);
  return kit.controls(
    view,
    ctx,
    {
      "kuhhandel.pay": pay,
      "kuhhandel.decide": decide,
      "kuhhandel.call": call,
      "kuhhandel.bid": bid,
      "kuhhandel.pass": plain("pass", "Pass", "Pass", "You are not interested at this price."),
      "kuhhandel.start_auction": plain("start_auction", "Auction", "Auction the next animal", "Turn it up; the others bid, and you sell it or buy it at the highest bid."),
      "kuhhandel.accept_trade": plain("accept_trade", "Take the heap", "Take the money, give the animals", "You see what the hidden heap is worth only when you have taken it."),
      "kuhhandel.counter_trade": lay("counter_trade", "Lay against it", "Any cards, or none. The higher heap gets the animals; then the heaps are exchanged.", "Lay"),
      "kuhhandel.reoffer_trade": lay("reoffer_trade", "Offer anew", "Both heaps were worth the same.", "Offer"),
      "kuhhandel.start_trade": trade,
    },
    { target, species: target && only(targets[target]) },
  );
}
