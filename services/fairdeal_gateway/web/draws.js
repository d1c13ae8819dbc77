/**
 * What was drawn in an event, and among what, as far as that can be known without the rules.
 *
 * `DRAWN` are the fields that the contract marks `x-drawn`. For some of them the chances are plain: a die's sides, a
 * lot among all seats, a stock that is only ever drawn from. Those are recomputed; the others' words are counted.
 */

/** Event → its drawn fields, in the order of drawing. */
export const DRAWN = {
  "perudo.start_rolled": ["rolls"],
  "perudo.starter_drawn": ["seat"],
  "perudo.round_started": ["dice"],
  "kuhhandel.starter_drawn": ["seat"],
  "kuhhandel.auction_started": ["lot"],
  "demoludy.starter_drawn": ["seat"],
  "demoludy.top_revealed": ["token"],
  "demoludy.hand_dealt": ["cards"],
  "demoludy.card_drawn": ["card"],
  "demoludy.card_taken": ["card"],
  "real_or_fake.hand_dealt": ["cards"],
  "real_or_fake.start_rolled": ["rolls"],
  "real_or_fake.rolled": ["dice"],
  "real_or_fake.acquired": ["cards"],
  "real_or_fake.house_filled": ["cards", "set_aside"],
  "real_or_fake.insider_taken": ["cards"],
  "perekupai.dealer_drawn": ["drawn"],
  "perekupai.first_seat_drawn": ["seat"],
  "perekupai.market_refilled": ["drawn"],
  "perekupai.buyer_revealed": ["drawn"],
  "perekupai.cards_drawn": ["drawn"],
  "perekupai.surprises_drawn": ["drawn"],
  "perekupai.die_rolled": ["die"],
  "perekupai.card_stolen": ["drawn"],
  "pan_tu_nie_stal.goods_placed": ["tokens"],
  "pan_tu_nie_stal.pair_removed": ["tokens"],
  "pan_tu_nie_stal.starter_drawn": ["seat"],
  "pan_tu_nie_stal.hand_dealt": ["cards"],
  "pan_tu_nie_stal.card_drawn": ["card"],
};

const die = (sides) => () => ({ n: sides, outcome: (value) => value + 1 });
const anySeat = (pools, created) => ({ n: created.players.length, outcome: (value) => value });

/** A card of the stock `name`: laid out in its order, each as often as it is there. What is drawn is gone. */
const stock = (name) => (pools) => {
  const cards = pools[name];
  const n = Object.values(cards).reduce((sum, count) => sum + count, 0);
  if (!n) return null;
  return {
    n,
    outcome(value) {
      for (const [card, count] of Object.entries(cards)) {
        if (value < count) return card;
        value -= count;
      }
      return null;
    },
    take(card) {
      if (cards[card]) cards[card] -= 1;
    },
  };
};

/** Event → what its outcomes are drawn among. */
const CHANCES = {
  "perudo.start_rolled": die(6),
  "perudo.starter_drawn": anySeat,
  "perudo.round_started": die(6),
  "kuhhandel.starter_drawn": anySeat,
  "kuhhandel.auction_started": stock("animals"),
  "demoludy.starter_drawn": anySeat,
  "real_or_fake.start_rolled": die(6),
  "real_or_fake.rolled": die(6),
  "real_or_fake.hand_dealt": stock("objects"),
  "real_or_fake.acquired": stock("objects"),
  "real_or_fake.house_filled": stock("objects"),
  "real_or_fake.insider_taken": stock("insiders"),
  "perekupai.die_rolled": die(10),
  "pan_tu_nie_stal.starter_drawn": anySeat,
};

const ANIMALS = ["rooster", "goose", "cat", "dog", "sheep", "goat", "donkey", "pig", "cow", "horse"];
const SERIES = ["art", "wines", "rugs", "gemstones", "antiques", "art_glass", "cars", "toys", "vintage_clothes"];
const each = (cards, count) => Object.fromEntries(cards.map((card) => [card, count]));

/** Ruleset → its stocks when the game opens, by what `game.created` says. */
export const POOLS = {
  kuhhandel: () => ({ animals: each(ANIMALS, 4) }),
  real_or_fake({ options }) {
    // `9+27`: nine marked insider cards, as many of each series, and 27 blank ones.
    const [marked, blank] = String(options.insider_deck).split("+").map(Number);
    return { objects: each(SERIES, 12), insiders: { ...each(SERIES, marked / SERIES.length), blank } };
  },
};

const flat = (value) => (Array.isArray(value) ? value.flatMap(flat) : value === null || value === undefined ? [] : [value]);

/** What the dealer drew for this event, in order: `{outcome, what, chance}`; `chance` gives null where it is not known here. */
export function drawsOf(event) {
  const fields = DRAWN[event.type] ?? [];
  return fields.flatMap((field) =>
    flat(event[field]).map((outcome) => ({ outcome, what: `${event.type}.${field}`, chance: CHANCES[event.type] ?? (() => null) })),
  );
}

/** The rulesets of which every draw is recomputed here. */
export const WHOLE = ["perudo", "kuhhandel", "real_or_fake"];
