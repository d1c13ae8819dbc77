/** Real or Fake: the board, collections that lie open or are hidden, the auction house (real_or_fake.md). */

import { h } from "../dom.js";
import * as kit from "./kit.js";

export const title = "Real or Fake";

const NAMES = {
  art: "Art",
  wines: "Wines",
  rugs: "Rugs",
  gemstones: "Gemstones",
  antiques: "Antiques",
  art_glass: "Art glass",
  cars: "Cars",
  toys: "Toys",
  vintage_clothes: "Vintage clothes",
};
const SERIES = Object.keys(NAMES);
const ICONS = {
  art: ["M3 4h18v16H3Z", "M3 16l6-6 5 5 3-3 4 4", ["M8 8.5a1.5 1.5 0 1 1-.01-1Z"]],
  wines: ["M10 2h4v6c3 2 3 4 3 6v8H7v-8c0-2 0-4 3-6Z", "M7 14h10v4H7Z"],
  rugs: ["M6 3h12v18H6Z", "M9 6h6v12H9ZM6 1v2M10 1v2M14 1v2M18 1v2M6 21v2M10 21v2M14 21v2M18 21v2"],
  gemstones: ["M6 4h12l4 6-10 11L2 10Z", "M2 10h20M8 10l4 11 4-11M9 4l-1 6M15 4l1 6"],
  antiques: ["M8 2h8M9 2c0 4-5 6-5 11s3 7 5 9h6c2-2 5-4 5-9S15 6 15 2", "M5 12h14"],
  art_glass: ["M5 3h14c0 7-2 11-7 11S5 10 5 3ZM12 14v7M7 21h10", "M6 7h12"],
  cars: ["M2 16v-4l4-1 3-5h8l3 5 2 1v4Z", ["M8 17.5a2 2 0 1 1-.01-1ZM19 17.5a2 2 0 1 1-.01-1Z"]],
  toys: ["M12 2v5M4 11c0-3 4-4 8-4s8 1 8 4-5 7-8 11c-3-4-8-8-8-11Z", "M4 11h16"],
  vintage_clothes: ["M8 3 2 7l3 4 2-1v11h10V10l2 1 3-4-6-4c-1 3-7 3-8 0Z"],
};
const SQUARES = {
  start: ["the start", "Start", ["M5 22V3M5 4h13l-3 4 3 4H5"]],
  new_acquisition: ["new acquisition", "New", ["M5 3h14v18H5Z", "M12 8v8M8 12h8"]],
  trade: ["trade", "Trade", ["M3 8h15l-4-4M21 16H6l4 4"]],
  tax_raid: ["tax raid", "Tax", ["M12 2l8 3v6c0 6-4 9-8 11-4-2-8-5-8-11V5Z", "M9 15l6-7M9 8.5h.01M15 15h.01"]],
  auction: ["auction", "Auction", ["M9 3l7 7M6 6l7 7M8 8l3-3M14 10 4 20M13 21h8"]],
  auction_object: ["auction object", "Object", ["M3 21V9l9-6 9 6v12Z", "M9 21v-7h6v7"]],
  insider: ["insider information", "Insider", ["M2 12c5-8 15-8 20 0-5 8-15 8-20 0Z", ["M12 9a3 3 0 1 1-.01 0Z"]]],
};
const PILES = { new_acquisitions: "new acquisitions", auction_objects: "auction objects" };

const euro = (amount) => `€${kit.number(amount)}`;
const lower = (series) => NAMES[series].toLowerCase();
const cardsText = (cards) => SERIES.filter((one) => cards[one]).map((one) => `${cards[one]}×${lower(one)}`).join(", ") || "no card";
const counted = (drawn) => {
  const found = {};
  for (const series of drawn) found[series] = (found[series] ?? 0) + 1;
  return found;
};
const drawnText = (drawn) => cardsText(counted(drawn));
const cardsOf = (count, what = "card") => (count === 1 ? `a ${what}` : `${count} ${what}s`);
function insidersText(cards) {
  const marked = SERIES.filter((one) => cards.includes(one)).map((one) => `fake ${lower(one)}`);
  const blanks = cards.filter((one) => one === "blank").length;
  return [...marked, ...(blanks ? [blanks === 1 ? "blank" : `${blanks} blank`] : [])].join(", ");
}
const fakesText = (fakes) => (fakes.length ? `Fake: ${kit.listed(fakes.map(lower))}.` : "Everything is genuine.");

// Events in words

function arranged(e, who) {
  const moves = [kit.size(e.to_table) && `lays ${cardsText(e.to_table)} open`, e.to_hand && kit.size(e.to_hand) && `takes ${cardsText(e.to_hand)} back`].filter(Boolean);
  return `${who(e.seat)} ${moves.join(" and ") || "lays nothing open"} and holds ${cardsOf(e.in_hand)}.`;
}

const SENTENCES = {
  piles_laid: (e) =>
    `There are ${e.new_acquisitions} new acquisitions, ${e.auction_objects} auction objects and ${e.insiders} insider cards.`,
  hand_dealt: (e, who) => (e.cards?.length ? `${who(e.seat)} is dealt ${drawnText(e.cards)}.` : ""),
  start_rolled: (e, who) =>
    `For the start ${kit.listed(e.seats.map((seat, at) => `${who(seat)} rolls ${kit.sum(e.rolls[at])}`))}.`,
  arranged,
  sorted: arranged,
  rolled: (e, who) => `${who(e.seat)} rolls ${e.dice.join(" and ")} and comes to ${SQUARES[e.square][0]}.`,
  bonus_paid: (e, who) => `${who(e.seat)} passes the start and gets ${euro(e.amount)}.`,
  acquired: (e, who) => `${who(e.seat)} takes ${e.cards ? drawnText(e.cards) : cardsOf(e.count)}; ${e.pile_left} are left.`,
  traded: (e, who) => `${who(e.seat)} buys ${e.count}×${lower(e.series)} of ${who(e.seller)} for ${euro(e.price)}.`,
  trade_declined: (e, who) => `${who(e.seat)} buys nothing.`,
  taxed: (e, who) => `${who(e.seat)} pays ${euro(e.amount)} for ${e.count ? cardsOf(e.count, "hidden card") : "no hidden card"}.`,
  went_bankrupt: (e, who) =>
    `${who(e.seat)} ${e.tax === null ? "leaves" : `cannot pay ${euro(e.tax)} and is bankrupt`}: the bank gets ${euro(e.cash)} and sells ${cardsText(e.cards)} and what lay open.`,
  house_filled: (e) =>
    `Into the auction house: ${drawnText(e.cards)}; ${e.pile_left} are left.${e.set_aside ? ` Set aside: ${drawnText([e.set_aside])}.` : ""}`,
  auction_started: (e, who) => `${who(e.starter)} opens an auction of ${e.kind === "house" ? `the house's ${e.count}` : `${e.count} insider`} cards.`,
  bid_made: (e, who) => `${who(e.seat)} bids ${euro(e.amount)}.`,
  passed: (e, who) => `${who(e.seat)} ${e.forced ? "cannot raise" : "passes"}.`,
  overbid: (e, who) => `${who(e.seat)} bids ${euro(e.amount)}, which it does not have, and is left out.`,
  auction_restarted: (e, who) => `The bidding begins anew with ${who(e.starter)}.`,
  auction_won: (e, who) =>
    `${who(e.seat)} gets ${e.kind === "house" ? "the house" : "the insider cards"} ${e.price ? `for ${euro(e.price)}` : "for nothing: nobody bid"}.`,
  auction_lapsed: (e) => `Nobody bids: the cards ${e.discarded ? "are out of the game" : "stay"}.`,
  insider_taken: (e, who) => (e.cards ? `${who(e.seat)} looks at them: ${insidersText(e.cards)}.` : ""),
  pile_ended: (e) => `The last of the ${PILES[e.pile]} is taken: the game is over.`,
  insider_revealed: (e, who) => `${who(e.seat)} shows an insider card: ${insidersText([e.card])}.`,
  wealth_counted: (e, who) =>
    `${fakesText(e.fakes)} ${kit.listed(e.wealth.map((one, seat) => `${who(seat)} ${euro(one.total)} (${euro(one.cash)} and collections of ${euro(one.collections)})`))}.`,
};

export const sentence = (event, ctx) => kit.tell(event, ctx, SENTENCES);

// The table

const tone = (series) => ({ "--c": `var(--seat-${SERIES.indexOf(series) % 6})` });

function face(series, count, detail) {
  return h(
    "span",
    { class: "g-card", style: tone(series) },
    kit.icon(ICONS[series]),
    h("span", {}, NAMES[series]),
    count !== null && h("b", {}, count === 1 ? "1 card" : `${count} cards`),
    detail && h("span", { class: "g-none" }, detail),
  );
}

const pile = (cards, values) => h("div", { class: "g-cards" }, SERIES.filter((one) => cards[one]).map((one) => face(one, cards[one], values && euro(values[cards[one]]))));

/** The squares of the board as a ring: the place of each on a square grid of `side` cells, from the corner clockwise. */
function ring(count) {
  const side = Math.ceil(count / 4) + 1;
  const last = side - 1;
  const at = (step) => {
    const along = step % last;
    return [[1, along + 1], [along + 1, side], [side, side - along], [side - along, 1]][Math.floor(step / last)];
  };
  return { side, cells: kit.range(count).map(at) };
}

function board(view, ctx) {
  const table = view.table;
  const { side, cells } = ring(table.board.length);
  const standing = (at) => table.positions.flatMap((position, seat) => (position === at ? [seat] : []));
  const roll = table.last_roll;
  return h(
    "div",
    { class: "rof-board", style: { "--side": side } },
    table.board.map((square, at) => {
      const [words, short, paths] = SQUARES[square];
      const here = standing(at);
      return h(
        "div",
        {
          class: ["rof-square", `rof-${square}`, here.length > 0 && "rof-here"],
          style: { "grid-area": `${cells[at][0]} / ${cells[at][1]}` },
          role: "img",
          "aria-label": `Square ${at}, ${words}${here.length ? `: ${kit.listed(here.map((seat) => ctx.names[seat]))}` : ""}`,
          title: words,
        },
        here.length ? h("span", { class: "rof-pieces" }, here.map((seat) => kit.badge(ctx, seat))) : kit.icon(paths),
        h("span", { class: "rof-word" }, short),
      );
    }),
    h(
      "div",
      { class: "rof-middle", style: { "grid-area": `2 / 2 / ${side} / ${side}` } },
      roll && h("p", { class: "g-line" }, kit.who(ctx, roll.seat), roll.dice.map((one) => kit.die(one))),
      roll && h("p", {}, `came to ${SQUARES[roll.square][0]}`),
      !roll && h("p", {}, "Nobody has rolled yet."),
    ),
  );
}

const legend = (view) =>
  h("ul", { class: "g-facts rof-legend" }, [...new Set(view.table.board)].map((square) => h("li", {}, kit.icon(SQUARES[square][2]), " ", SQUARES[square][0])));

function seat(view, ctx, at) {
  const table = view.table;
  const auction = table.auction;
  const out = table.bankrupt.includes(at);
  const open = table.open_cards[at];
  const own = view.seat === at ? view.hand?.cash : null;
  const cash = table.cash?.[at] ?? own;
  const square = table.positions[at];
  return kit.place(
    view,
    ctx,
    at,
    {
      out,
      notes: [
        kit.onTurn(view, at),
        auction?.high?.seat === at && kit.tag(`bids ${euro(auction.high.amount)}`, "good"),
        auction && !out && !auction.bidders.includes(at) && "passed",
        out && (table.resigned.includes(at) ? "resigned" : kit.tag("bankrupt", "bad")),
      ],
      figure: cash === null || cash === undefined ? "cash hidden" : euro(cash),
    },
    !out && h("div", { class: "g-line" }, kit.backs(table.hands[at], "hidden card"), table.insiders[at] > 0 && kit.tag(cardsOf(table.insiders[at], "insider card"))),
    square !== null && h("p", { class: "g-none" }, "on ", SQUARES[table.board[square]][0]),
    kit.size(open) ? [h("span", { class: "g-none" }, out ? "for sale by the bank:" : "open:"), pile(open, table.options.value_table)] : kit.nothing("nothing open"),
  );
}

function auctionArea(view, ctx) {
  const auction = view.table.auction;
  if (!auction) return null;
  const { high } = auction;
  return kit.area(
    auction.kind === "house" ? `The house's ${auction.count} cards are auctioned` : `${cardsOf(auction.count, "insider card")} are auctioned`,
    { class: "g-felt g-centre" },
    auction.kind === "house" ? pile(view.table.house) : kit.backs(auction.count, "insider card"),
    h("p", { class: "g-big" }, high ? euro(high.amount) : "no bid yet"),
    high && h("p", { class: "g-line" }, "by ", kit.who(ctx, high.seat)),
    h("p", { class: "g-line" }, "still in: ", auction.bidders.map((at) => kit.who(ctx, at))),
  );
}

function house(view) {
  const table = view.table;
  const fakes = table.fakes;
  return kit.area(
    "Auction house and piles",
    {},
    kit.size(table.house) ? pile(table.house) : kit.nothing("The auction house is empty."),
    h(
      "p",
      { class: "g-facts" },
      kit.stat("new acquisitions", table.new_acquisitions),
      kit.stat("auction objects", table.auction_objects),
      kit.stat("insider cards to be sold", table.insider_pile),
    ),
    kit.size(table.set_aside) > 0 && h("p", {}, `Set aside: ${cardsText(table.set_aside)}.`),
    table.revealed.length > 0 && h("p", {}, `Insider cards shown: ${insidersText(table.revealed.map((one) => one.card))}.`),
    fakes && h("p", {}, h("strong", {}, fakesText(fakes))),
    !fakes && h("p", { class: "g-hint" }, `All cards of a series together are worth more: ${[1, 2, 4, 8].map((n) => `${n} ${n === 1 ? "is" : "are"} worth ${euro(table.options.value_table[n])}`).join(", ")}. A series with a marked insider card is fake and worth nothing.`),
  );
}

function own(view) {
  const hand = view.hand;
  if (!hand) return null;
  const values = view.table.options.value_table;
  const open = view.table.open_cards[view.seat];
  const all = Object.fromEntries(SERIES.map((one) => [one, (hand.cards[one] ?? 0) + (hand.new[one] ?? 0) + (open[one] ?? 0)]).filter(([, count]) => count));
  const suspect = hand.insiders.filter((one) => one !== "blank");
  const where = (one) =>
    [[hand.cards, "hidden"], [hand.new, "new"], [open, "open"]].filter(([cards]) => cards[one]).map(([cards, word]) => `${cards[one]} ${word}`).join(", ");
  return kit.area(
    `Yours: ${euro(hand.cash)} and ${cardsOf(kit.size(all))}`,
    {},
    h(
      "div",
      { class: "g-cards" },
      SERIES.filter((one) => all[one]).map((one) =>
        h("span", { class: ["rof-own", suspect.includes(one) && "rof-fake"] }, face(one, all[one], `worth ${euro(values[all[one]])}`), h("small", {}, where(one)), suspect.includes(one) && kit.tag("you know: fake", "bad")),
      ),
      !kit.size(all) && kit.nothing("no cards"),
    ),
    h("p", {}, `Worth ${euro(kit.sum(SERIES.map((one) => values[all[one] ?? 0])))} if all is genuine.`),
    hand.insiders.length > 0 && h("p", {}, `Your insider cards: ${insidersText(hand.insiders)}.`),
  );
}

const WHAT = {
  arrange: "arrange cards, then roll.",
  new_cards: "lay new cards open or keep them hidden.",
  trade: "buy an open series from another player, or nothing.",
  bid: "bid more, or leave the auction.",
};

export function draw(view, ctx) {
  const table = view.table;
  const wealth = table.wealth;
  const columns = wealth
    ? [
        ["Cash", (at) => euro(wealth[at].cash)],
        ["Collections", (at) => euro(wealth[at].collections)],
        ["Cards", (at) => cardsText(wealth[at].cards)],
      ]
    : [];
  const facts = [table.turn_number > 0 && `turn ${table.turn_number}`, `a tax raid costs ${euro(table.options.tax_per_card)} for each hidden card`];
  return h(
    "div",
    { class: "g g-real-or-fake" },
    kit.head(view, ctx, WHAT[table.phase], facts, columns),
    h("div", { class: "g-two" }, kit.area("", { class: "g-felt" }, board(view, ctx), legend(view)), h("div", { class: "rof-side" }, auctionArea(view, ctx), house(view))),
    own(view),
    kit.around(view, ctx, (at) => seat(view, ctx, at)),
  );
}

// What may be done

const move = (ui, series) => ui.state[`move:${series}`] ?? 0;

function arrange(offer, ui) {
  const moved = (sign) => kit.some(Object.fromEntries(SERIES.map((one) => [one, sign * move(ui, one)])));
  const [toTable, toHand] = [moved(1), moved(-1)];
  const said = [kit.size(toTable) && `lay ${cardsText(toTable)} open`, kit.size(toHand) && `take ${cardsText(toHand)} back`].filter(Boolean);
  const button = (one, by, label, name, open) =>
    h("button", { type: "button", class: "g-step", "data-key": `move:${one}:${by}`, "aria-label": name, disabled: !open, onclick: () => ui.set({ [`move:${one}`]: move(ui, one) + by }) }, label);
  return ui.group(
    "Arrange your cards",
    "Hidden cards are taxed in a raid; open ones may be bought by anybody who comes to a trade square. You may do this as often as you like before you roll.",
    h(
      "div",
      { class: "rof-moves" },
      SERIES.filter((one) => offer.to_table[one] || offer.to_hand[one]).map((one) => {
        const [up, down] = [offer.to_table[one] ?? 0, offer.to_hand[one] ?? 0];
        const by = move(ui, one);
        return h(
          "div",
          { class: "rof-move", role: "group", "aria-label": NAMES[one] },
          h("span", { class: "g-line", style: tone(one) }, kit.icon(ICONS[one]), h("b", {}, NAMES[one])),
          h("span", { class: "g-steps" }, `${(ui.view.hand?.cards[one] ?? 0) - by} hidden`, button(one, -1, "◂", `Take ${lower(one)} back into the hand`, by > -down), button(one, 1, "▸", `Lay ${lower(one)} open`, by < up), `${(ui.view.table.open_cards[ui.view.seat][one] ?? 0) + by} open`),
        );
      }),
    ),
    ui.button({
      key: "arrange",
      label: said.length ? kit.capital(said.join(" and ")) : "Arrange",
      main: said.length > 0,
      why: said.length ? "" : "Nothing is moved yet; you need not move anything.",
      action: () => ({ type: "real_or_fake.arrange", to_table: toTable, to_hand: toHand }),
    }),
  );
}

function roll(offer, ui) {
  const hidden = kit.size(ui.view.hand?.cards ?? {});
  const cost = hidden * ui.view.table.options.tax_per_card;
  return ui.group(
    "Roll",
    `Both dice move your piece clockwise; the square says what follows. A tax raid would cost you ${euro(cost)} now.`,
    ui.button({ key: "roll", label: "Roll the dice", main: true, action: () => ({ type: "real_or_fake.roll" }) }),
  );
}

function sort(offer, ui) {
  const open = ui.state.open ?? {};
  return ui.group(
    "Your new cards",
    "Lay some of them open, where they are not taxed but may be bought; the others go to your hand.",
    ui.counts({ key: "open", label: "Tap those that you lay open", items: SERIES.filter((one) => offer.cards[one]).map((one) => ({ id: one, max: offer.cards[one], label: lower(one), face: face(one, null) })) }),
    ui.button({
      key: "sort",
      label: kit.size(open) ? `Lay ${cardsText(open)} open` : "Keep them all hidden",
      main: true,
      action: () => ({ type: "real_or_fake.sort", to_table: open }),
    }),
  );
}

function buy(offer, ui) {
  const values = ui.view.table.options.value_table;
  const have = (one) => (ui.view.hand?.cards[one] ?? 0) + (ui.view.table.open_cards[ui.view.seat][one] ?? 0);
  return ui.group(
    "Buy a series",
    "You get all open cards of the series for what they are worth by the table.",
    kit.numbered(offer.prices).map(([seller, prices]) =>
      h(
        "div",
        { class: "g-line" },
        kit.who(ui.ctx, seller),
        Object.entries(prices).map(([one, price]) => {
          const more = ui.view.table.open_cards[seller][one];
          return ui.button({
            key: `buy:${seller}:${one}`,
            label: `${more}×${lower(one)} for ${euro(price)}`,
            detail: `you would have ${have(one) + more}, worth ${euro(values[Math.min(have(one) + more, values.length - 1)])}`,
            action: () => ({ type: "real_or_fake.buy", seat: seller, series: one }),
          });
        }),
      ),
    ),
  );
}

function bid(offer, ui) {
  const { value, why } = ui.read("amount", { min: offer.least, max: offer.most, step: offer.step });
  const cash = ui.view.hand?.cash ?? 0;
  const most = offer.most === null ? "" : `, at most ${euro(offer.most)}`;
  return ui.group(
    "Bid",
    `At least ${euro(offer.least)}${most}, in steps of ${euro(offer.step)}. You have ${euro(cash)}.`,
    ui.stepper({ key: "amount", label: "Your bid", min: offer.least, max: offer.most, step: offer.step, jumps: [5 * offer.step], unit: "€" }),
    value > cash && h("p", { class: "g-why" }, "That is more than you have: if you win with it, you are left out and the bidding begins anew."),
    ui.button({ key: "bid", label: value === null ? "Bid" : `Bid ${euro(value)}`, main: true, why, action: () => ({ type: "real_or_fake.bid", amount: value }) }),
  );
}

const plain = (type, heading, label, hint) => (offer, ui) =>
  ui.group(heading, hint, ui.button({ key: type, label, action: () => ({ type: `real_or_fake.${type}` }) }));

export const controls = (view, ctx) =>
  kit.controls(view, ctx, {
    "real_or_fake.sort": sort,
    "real_or_fake.bid": bid,
    "real_or_fake.pass": plain("pass", "Pass", "Leave this auction", "You are out of this auction for good."),
    "real_or_fake.buy": buy,
    "real_or_fake.decline": plain("decline", "Or nothing", "Buy nothing", "Your turn goes on without a purchase."),
    "real_or_fake.arrange": arrange,
    "real_or_fake.roll": roll,
  });
