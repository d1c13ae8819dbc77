/** What is said in the same words everywhere: names, statuses, times, who won. */

import { h } from "./dom.js";

const TITLES = {
  perudo: "Perudo",
  kuhhandel: "Kuhhandel",
  demoludy: "Demoludy",
  real_or_fake: "Real or Fake",
  perekupai: "Perekupai",
  pan_tu_nie_stal: "Pan tu nie stał!",
};

/** `perudo` of `perudo@1`. */
export const nameOf = (ruleset) => ruleset.split("@")[0];

/** A ruleset as people call it. */
export const titleOf = (ruleset) => TITLES[nameOf(ruleset)] ?? inWords(nameOf(ruleset));

/** `Bid step` of `bid_step`. */
export function inWords(name) {
  const text = String(name).replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const isBot = (player) => player.startsWith("bot:");

/** What each player is called: their id, but `ann` for `bot:odds:ann` as long as nobody else is. */
export function namesOf(players) {
  const short = players.map((player) => {
    const [, , name] = /^bot:([^:]*):(.*)$/.exec(player) ?? [];
    return name && !/^\d+$/.test(name) ? name : player;
  });
  return short.map((name, seat) => (short.filter((other) => other === name).length === 1 ? name : players[seat]));
}

/** One or two letters that tell a seat apart from the others: `A`, or `A2` where two names begin alike. */
export function monogram(names, seat) {
  const initial = (name) => name.charAt(0).toUpperCase();
  const first = initial(names[seat]);
  return names.filter((name) => initial(name) === first).length > 1 ? first + (seat + 1) : first;
}

/** `2 games`, `1 game`. */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** `ann, bob and cy`. */
export const listed = (parts) => new Intl.ListFormat("en").format(parts);

export const STATUS = {
  waiting: ["Waiting for players", "warn"],
  playing: ["Playing", "good"],
  finished: ["Finished", ""],
  cancelled: ["Cancelled", "bad"],
};

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** `3 min ago`. */
export function ago(ms, now) {
  const seconds = Math.round((ms - now) / 1000);
  for (const [unit, size] of [["day", 86_400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return Math.abs(seconds) < 5 ? "just now" : relative.format(seconds, "second");
}

/** An element with a moment: how long ago, the exact time as its title. */
export function moment(ms, now) {
  const date = new Date(ms);
  return h("time", { datetime: date.toISOString(), title: date.toLocaleString("en-GB") }, ago(ms, now));
}

export const timeOf = (ms) => new Date(ms).toLocaleTimeString("en-GB");

/** `0:07`, `1:02:03`. */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
}
