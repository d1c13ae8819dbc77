/** Requests to the gateway, and what went wrong in words. */

export const base = new URL(".", document.baseURI);

/** How much this browser's clock is behind the gateway's, in ms, to about a second. */
let behind = 0;

/** The gateway's time in epoch ms, as well as this browser can tell. */
export const now = () => Date.now() + behind;

/** A request that was refused or did not arrive: `status` (0 when it did not arrive), `code`, and words. */
export class Problem extends Error {
  constructor({ title, detail, status = 0, code = null, path = null, details = null, retry = null }) {
    super(detail || title);
    Object.assign(this, { title, detail, status, code, path, details, retry });
  }
}

const WORDS = {
  0: ["The gateway does not answer", "It may be down, or this device is offline. Try again in a moment."],
  stale: ["The table has moved on", "Somebody moved before your move arrived, so it was not played. Look again and choose."],
  no_token: ["A token is needed", "Add one under “Access”."],
  bad_token: ["The token is not valid", "Ask whoever gave it to you for a new one."],
  expired_token: ["The token has expired", "Ask whoever gave it to you for a new one."],
  revoked_token: ["The token was revoked", "Ask whoever gave it to you for a new one."],
  not_allowed: ["The token does not allow this", "Another token is needed: see “Access”."],
  too_many_requests: ["Too many requests", "Wait a moment and try again."],
};

function inWords(status, body, retry) {
  const known = WORDS[body.code] ?? (status === 0 ? WORDS[0] : null);
  const title = known?.[0] ?? body.title ?? `The gateway answered ${status}`;
  const own = body.detail ?? body.message;
  const detail = known && status !== 403 ? known[1] : (own ?? known?.[1] ?? "");
  const place = body.path && body.path !== "$" ? ` (at ${body.path})` : "";
  return new Problem({ ...body, title, detail: detail + place, status, retry });
}

/** The problem in an answer that is not ok. */
async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  return inWords(response.status, body ?? {}, Number(response.headers.get("Retry-After")) || null);
}

/**
 * Fetch a path below the page. `token` is sent as a bearer; `json` is the body; a request that has no answer
 * within `seconds` is given up. Returns the response. Raises Problem.
 */
export async function request(path, { token, json, method, headers = {}, signal, seconds = 20 } = {}) {
  const sent = { ...headers };
  if (token) sent.Authorization = `Bearer ${token}`;
  if (json !== undefined) sent["Content-Type"] = "application/json";
  const late = seconds ? AbortSignal.timeout(seconds * 1000) : null;
  const signals = [signal, late].filter(Boolean);
  let response;
  try {
    response = await fetch(new URL(path, base), {
      method: method ?? (json === undefined ? "GET" : "POST"),
      headers: sent,
      body: json === undefined ? undefined : JSON.stringify(json),
      signal: signals.length ? AbortSignal.any(signals) : undefined,
      credentials: "omit",
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw inWords(0, {}, null);
  }
  const date = Date.parse(response.headers.get("Date"));
  if (date) behind = Math.abs(date - Date.now()) < 1500 ? 0 : date - Date.now();
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** The JSON of `request`. */
export async function get(path, options) {
  const response = await request(path, options);
  return response.status === 204 ? null : response.json();
}

/** A path with a query of the values that are there. */
export function at(path, query) {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

export const gamePath = (game, rest) => `games/${encodeURIComponent(game)}/${rest}`;

/** A new id for a command or a game: 26 characters. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(13));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
