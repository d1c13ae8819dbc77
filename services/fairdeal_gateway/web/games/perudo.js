/** Perudo: cups and dice, the bid that stands, how the last round ended (perudo.md). */

import { h, svg } from "../dom.js";
import * as kit from "./kit.js";

export const title = "Perudo";

const FACES = ["", "aces", "twos", "threes", "fours", "fives", "sixes"];
const ONE = ["", "ace", "two", "three", "four", "five", "six"];

const called = (quantity, face) => `${quantity} ${quantity === 1 ? ONE[face] : FACES[face]}`;
const bidText = (bid) => called(bid.quantity, bid.face);

// Events in words

const left = (count) => (!count ? "" : count > 1 ? ` and has ${count} left` : " and has one left");
const hands = (all, who, verb) =>
  kit.listed(all.map((dice, seat) => dice?.length && `${who(seat)}${verb}${dice.join(" ")}`).filter(Boolean));

const SENTENCES = {
  start_rolled: (e, who) =>
    `For the start ${kit.listed(e.seats.map((seat, at) => `${who(seat)} rolls ${kit.sum(e.rolls[at])}`))}.`,
  starter_drawn: (e, who) => `By lot, ${who(e.seat)} opens.`,
  round_started: (e, who) => {
    const kind = e.kind === "palafico" ? " a Palafico round: aces are not wild, the face stays" : "";
    const rolled = hands(e.dice ?? [], who, " rolls ");
    return `Round ${e.round}: ${who(e.starter)} opens${kind}.${rolled ? ` ${kit.capital(rolled)}.` : ""}`;
  },
  bid_placed: (e, who) => `${who(e.seat)} bids ${bidText(e)}.`,
  dudo_called: (e, who) => `${who(e.seat)} doubts it: dudo!`,
  calza_called: (e, who) => `${who(e.seat)} says it is exactly right: calza!`,
  dice_revealed: (e, who) => {
    const count = e.count === 0 ? "No die counts" : e.count === 1 ? "One die counts" : `${e.count} dice count`;
    return `The cups are lifted: ${hands(e.hands, who, " ")}. ${count}.`;
  },
  die_lost: (e, who) => `${who(e.seat)} loses ${e.lost === 1 ? "a die" : `${e.lost} dice`}${left(e.left)}.`,
  die_regained: (e, who) => `${who(e.seat)} takes ${e.gained === 1 ? "a die" : `${e.gained} dice`} back${left(e.left)}.`,
  no_die_regained: (e, who) => `${who(e.seat)} is right and has all dice already.`,
  player_eliminated: (e, who) => `${who(e.seat)} is out, place ${e.place}.`,
  palafico_earned: (e, who) => `${who(e.seat)} is down to the last die and may declare a Palafico round.`,
  palafico_declared: (e, who) => `${who(e.seat)} ${e.palafico ? "declares a" : "wants no"} Palafico round.`,
};

export const sentence = (event, ctx) => kit.tell(event, ctx, SENTENCES);

// The table

const counts = (bid, wild) => (face) => face === bid.face || (wild && face === 1);

function cup(lifted) {
  return svg(
    "svg",
    { class: "perudo-cup", viewBox: "0 0 40 40", "aria-hidden": "true" },
    svg("path", { d: lifted ? "M6 8 30 3l3 27-22 5Z" : "M12 4h16l5 32H7Z" }),
    svg("path", { class: "g-band", d: lifted ? "M7 14 31 9" : "M10.4 13h19.2" }),
  );
}

function dice(view, seat) {
  const table = view.table;
  const own = view.seat === seat && view.hand?.dice.length ? view.hand.dice : null;
  if (own) return [...own].sort().map((face) => kit.die(face, table.bid && counts(table.bid, table.kind === "standard")(face) ? "g-counts" : ""));
  if (table.dice === null) return table.eliminated.includes(seat) ? kit.nothing("no dice") : kit.nothing("dice under the cup, nobody says how many");
  const count = table.dice[seat];
  return count ? kit.range(count).map(() => kit.die(0)) : kit.nothing("no dice");
}

function seat(view, ctx, at) {
  const table = view.table;
  const out = table.eliminated.includes(at);
  const bids = table.bids.filter((bid) => bid.seat === at);
  const own = view.seat === at && view.hand?.dice.length > 0;
  return kit.place(
    view,
    ctx,
    at,
    {
      out,
      notes: [
        table.resigned.includes(at) ? "resigned" : out && "out",
        table.palafico_seat === at && kit.tag("Palafico", "warn"),
        !out && table.dice?.[at] === 1 && kit.tag("last die", "warn"),
      ],
      figure: table.dice === null || out ? null : kit.plural(table.dice[at], "die", "dice"),
    },
    h("div", { class: "g-line" }, !out && cup(own), dice(view, at)),
    bids.length > 0 && h("p", { class: "g-line" }, "bid ", h("b", {}, `${bids.at(-1).quantity} ×`), kit.die(bids.at(-1).face, "g-small")),
  );
}

function standing(view, ctx) {
  const { bid, bids, turn, kind } = view.table;
  const wild = kind === "standard" ? "Aces are wild: they count as every face." : "Palafico: aces are not wild, and the face stays.";
  if (turn === null) return null;
  return kit.area(
    bid ? "The bid that stands" : "No bid yet",
    { class: "g-felt g-centre" },
    bid
      ? h("p", { class: "g-big" }, `${bid.quantity} ×`, kit.die(bid.face, "g-large"))
      : h("p", {}, "Whoever opens says how many dice of one face lie under all cups together, at least."),
    bid && h("p", {}, `${ctx.names[bid.seat]} claims at least ${called(bid.quantity, bid.face)} under all cups.`),
    bids.length > 1 &&
      h(
        "ol",
        { class: "perudo-bids", "aria-label": "This round's bids" },
        bids.map((one) => h("li", {}, kit.badge(ctx, one.seat), h("span", { class: "g-sr" }, `${ctx.names[one.seat]} `), `${one.quantity}×`, kit.die(one.face, "g-small"))),
      ),
    h("p", { class: "g-hint" }, wild),
  );
}

function reveal(view, ctx) {
  const last = view.table.last_reveal;
  if (!last || (view.table.bids.length > 2 && view.table.turn !== null)) return null;
  const hit = counts(last.bid, last.wild);
  const right = last.call === "calza" ? last.count === last.bid.quantity : last.count < last.bid.quantity;
  const change = (at) => last.changes[at] ?? null;
  return kit.area(
    `How round ${last.round} ended`,
    {},
    h(
      "p",
      {},
      `${ctx.names[last.caller]} called ${last.call} on ${called(last.bid.quantity, last.bid.face)} by ${ctx.names[last.bid.seat]}: `,
      h("strong", {}, `${kit.plural(last.count, "die counts", "dice count")}`),
      ` — ${last.call} was ${right ? "right" : "wrong"}.`,
    ),
    last.order.map((at) =>
      h(
        "div",
        { class: "g-line" },
        kit.who(ctx, at),
        last.hands[at].map((face) => kit.die(face, hit(face) ? "g-counts g-small" : "g-idle g-small")),
        change(at) !== null &&
          kit.tag(
            change(at) < 0 ? `loses ${kit.plural(-change(at), "die", "dice")}` : change(at) > 0 ? `regains ${kit.plural(change(at), "die", "dice")}` : "has all dice",
            change(at) < 0 ? "bad" : "good",
          ),
      ),
    ),
  );
}

function rolloff(view, ctx) {
  if (!view.table.roll_off.length || view.table.bids.length) return null;
  return kit.area(
    "The roll for the start",
    {},
    view.table.roll_off.map((roll) =>
      h("div", { class: "g-line" }, roll.seats.map((at, index) => [kit.who(ctx, at), roll.rolls[index].map((face) => kit.die(face, "g-small"))])),
    ),
  );
}

export function draw(view, ctx) {
  const table = view.table;
  const what = table.declaring
    ? "say whether this becomes a Palafico round."
    : table.bid
      ? "bid higher, or doubt the bid."
      : "open the bidding.";
  const facts = [
    table.round > 0 && `round ${table.round}`,
    table.kind === "palafico" && kit.tag("Palafico round", "warn"),
    table.dice !== null && kit.stat("dice in play", kit.sum(table.dice)),
    table.bag > 0 && kit.stat("in the bag", table.bag),
  ];
  return h(
    "div",
    { class: "g g-perudo" },
    kit.head(view, ctx, what, facts),
    h("div", { class: "g-two" }, standing(view, ctx), reveal(view, ctx), rolloff(view, ctx)),
    kit.around(view, ctx, (at) => seat(view, ctx, at)),
  );
}

// What may be done

function bid(offer, ui) {
  const faces = Object.keys(offer.quantities).map(Number);
  const face = ui.state.face;
  const [min, max] = offer.quantities[face];
  const { value, why } = ui.read("quantity", { min, max });
  const own = ui.view.hand?.dice.filter(counts({ face }, ui.view.table.kind === "standard")).length ?? 0;
  const options = kit.range(6).map((at) => ({
    value: at + 1,
    label: FACES[at + 1],
    face: kit.die(at + 1),
    detail: faces.includes(at + 1) ? `from ${offer.quantities[at + 1][0]}` : "not now",
    why: faces.includes(at + 1) ? "" : "no bid on this face is open now",
  }));
  return ui.group(
    ui.view.table.bid ? "Bid higher" : "Open the bidding",
    "Claim that at least so many dice under all cups show this face. If you are doubted and there are fewer, it costs you a die.",
    ui.pick({ key: "face", label: "Face", options, clears: { quantity: undefined } }),
    ui.stepper({ key: "quantity", label: "How many", min, max }),
    h("p", {}, `You hold ${own ? kit.plural(own, "die", "dice") : "none"} that would count; the others' are hidden.`),
    ui.button({
      key: "bid",
      label: value === null ? "Bid" : `Bid ${called(value, face)}`,
      main: true,
      why,
      action: () => ({ type: "perudo.bid", quantity: value, face }),
    }),
  );
}

const plain = (type, label, hint) => (offer, ui) =>
  ui.group(label, hint, ui.button({ key: type, label, action: () => ({ type: `perudo.${type}` }) }));

function declare(offer, ui) {
  const say = (palafico, label) =>
    ui.button({ key: `palafico-${palafico}`, label, main: palafico, action: () => ({ type: "perudo.declare", palafico }) });
  return ui.group(
    "Palafico round?",
    "You are down to your last die. In a Palafico round aces are not wild and the face of the first bid stays.",
    ui.row(say(true, "Yes, a Palafico round"), say(false, "No, a standard round")),
  );
}

export function controls(view, ctx) {
  const bids = view.offers.find((offer) => offer.type === "perudo.bid")?.quantities ?? {};
  const standing = view.table.bid?.face;
  const face = standing in bids ? standing : Number(Object.keys(bids)[0]);
  const doubted = view.table.bid ? bidText(view.table.bid) : "the bid";
  return kit.controls(
    view,
    ctx,
    {
      "perudo.declare": declare,
      "perudo.bid": bid,
      "perudo.dudo": plain("dudo", "Dudo!", `Doubt ${doubted}. All cups are lifted: if there are fewer, the bidder loses a die; if not, you do.`),
      "perudo.calza": plain("calza", "Calza!", `Claim that ${doubted} is exactly right. If it is not, you lose a die.`),
    },
    { face },
  );
}
