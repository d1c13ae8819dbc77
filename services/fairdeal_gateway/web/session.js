/** The tokens that this tab holds. They live in the tab's own storage, never in an address. */

import { get } from "./api.js";

const KEY = "fairdeal.tokens";

let known = read();

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function keep() {
  sessionStorage.setItem(KEY, JSON.stringify(known));
  document.dispatchEvent(new CustomEvent("tokens"));
}

/** What is held: `{token, scope, game, seat, expires_at, delay_commits, delay_s}` each, the newest first. */
export const tokens = () => known;

/** Ask what a token is, and hold it. Raises Problem when the gateway does not accept it. */
export async function addToken(token) {
  const about = await get("token", { token });
  known = [{ ...about, token }, ...known.filter((one) => one.token !== token)];
  keep();
  return about;
}

/** Hold it no longer. */
export function forget(token) {
  known = known.filter((one) => one.token !== token);
  keep();
}

const lasting = () => known.filter((one) => !one.expires_at || one.expires_at > Date.now());

/** The first token of these scopes that is good for a game (or for all), as text, or null. */
export function tokenFor(scopes, game = null) {
  for (const scope of scopes) {
    const found = lasting().find((one) => one.scope === scope && (!one.game || one.game === game));
    if (found) return found.token;
  }
  return null;
}

/**
 * Through whose eyes this tab may see a game of so many seats, each with the token for it:
 * `{as: "seat:1" | "table" | "audit", seat, token, acts}`. One's own seats come first.
 */
export function viewers(game, seats = 0) {
  const fit = lasting().filter((one) => !one.game || one.game === game);
  const audit = fit.find((one) => one.scope === "audit");
  const own = fit
    .filter((one) => one.scope === "seat")
    .map((one) => ({ as: `seat:${one.seat}`, seat: one.seat, token: one.token, acts: true }));
  const all = own.filter((one, index) => own.findIndex((other) => other.seat === one.seat) === index);
  all.sort((left, right) => left.seat - right.seat);
  const table = fit.find((one) => one.scope === "host") ?? audit ?? fit.find((one) => one.scope === "watch");
  if (table) {
    const delayed = table.scope === "watch" && (table.delay_commits || table.delay_s);
    all.push({ as: "table", seat: null, token: table.token, acts: false, delayed: delayed ? table : null });
  }
  for (let seat = 0; audit && seat < seats; seat++) {
    if (!all.some((one) => one.seat === seat)) all.push({ as: `seat:${seat}`, seat, token: audit.token, acts: false });
  }
  if (audit) all.push({ as: "audit", seat: null, token: audit.token, acts: false });
  return all;
}
