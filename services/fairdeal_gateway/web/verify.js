/**
 * The proof, recomputed in this browser from an exported file alone: nothing here asks the server for anything.
 *
 *   file         the last line's SHA-256 is that of every byte before it, and the commits are all there
 *   chain        h = SHA-256(h before ‖ c) for every commit, versions and entries in order
 *   commitment   SHA-256(revealed seed) is what the first commit promised
 *   draws        key = HMAC(seed, entropy); the words that each commit says it used follow on one another, and
 *                where the faces of a die or the whole pool are known here, its outcomes are what the words give
 *
 * Whether every move obeyed the rules is not looked at here: that takes the rules, and `fairdeal audit`.
 */

import { POOLS, drawsOf } from "./draws.js";

const utf8 = new TextEncoder();

/** More than any game comes to; what is larger would only keep the browser busy. */
const MOST_BYTES = 64 * 2 ** 20;
const MOST_COMMITS = 20_000;

const HASH = /^[0-9a-f]{64}$/;
const ENTRY = /^([0-9]{1,20})-([0-9]{1,20})$/;

export const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => new Uint8Array(text.match(/../g).map((pair) => parseInt(pair, 16)));
const sha256 = (bytes) => crypto.subtle.digest("SHA-256", bytes);

async function hmac(key, message) {
  // WebCrypto takes no empty key; by HMAC's definition (RFC 2104) a zero byte is the same key.
  const bytes = key.length ? key : new Uint8Array(1);
  const imported = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The players' contributions in seat order, each as `<bytes>:<text>`, none as `0:`. */
function joinEntropy(contributions) {
  return joined(...contributions.map((text) => {
    const bytes = utf8.encode(text ?? "");
    return joined(utf8.encode(`${bytes.length}:`), bytes);
  }));
}

/** The dealer's stream of a seed and the players' entropy: `word(i)` is its 32-bit word number i. */
async function dealerStream(seed, entropy) {
  const key = await hmac(seed, entropy);
  const label = utf8.encode("fairdeal/draw/1|");
  const blocks = new Map();
  return {
    async word(number) {
      const block = Math.floor(number / 8);
      if (!blocks.has(block)) {
        const counter = new DataView(new ArrayBuffer(8));
        counter.setBigUint64(0, BigInt(block));
        const bytes = await hmac(key, joined(label, new Uint8Array(counter.buffer)));
        blocks.set(block, new DataView(bytes.buffer));
      }
      return blocks.get(block).getUint32((number % 8) * 4);
    },
  };
}

const WORDS = 2 ** 32;
/** A number below n from the words from `at` on: take a word; from ⌊2³²/n⌋·n on take the next; else mod n. */
export async function below(stream, n, at) {
  // Among more than a word can say, or among none, there is nothing to draw; an altered file may say so.
  if (!Number.isInteger(n) || n < 1 || n > WORDS) return { value: NaN, next: at };
  const limit = WORDS - (WORDS % n);
  let word = await stream.word(at++);
  while (word >= limit) word = await stream.word(at++);
  return { value: word % n, next: at };
}

class Findings {
  checks = new Map();

  constructor(names) {
    for (const name of names) this.checks.set(name, { name, verdict: "ok", version: null, message: "", faults: 0 });
  }

  fail(name, version, message) {
    const check = this.checks.get(name);
    check.faults += 1;
    const first = check.verdict !== "failed" || (version !== null && check.version !== null && version < check.version);
    if (first) Object.assign(check, { verdict: "failed", version, message });
  }

  skip(name, message) {
    const check = this.checks.get(name);
    if (check.verdict === "ok") Object.assign(check, { verdict: "skipped", message });
  }

  note(name, message) {
    const check = this.checks.get(name);
    if (check.verdict === "ok") check.message = message;
  }
}

/** A line as an object; null for what is none. */
function parse(line) {
  try {
    const value = JSON.parse(line);
    return value && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Take the file apart: `{header, records: [{version, h, c, commit}], end}`. Raises Error when it is no export. */
async function read(bytes, findings) {
  if (bytes.byteLength > MOST_BYTES) throw new Error("This file is larger than 64 MiB, which no game comes to. Use: fairdeal audit.");
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("This file is no text in UTF-8, so it is no export of a game.");
  }
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length > 2 * MOST_COMMITS) throw new Error(`This file has ${lines.length} lines, more than this page checks. Use: fairdeal audit.`);
  const header = parse(lines[0]);
  if (!header || !("fairdeal_export" in header)) {
    throw new Error("This file is no export of a game: its first line should be a header with “fairdeal_export”.");
  }
  if (header.fairdeal_export !== 1) {
    throw new Error(`This export is of format ${header.fairdeal_export}; this page reads format 1. Ask a newer server's page.`);
  }
  const records = [];
  let end = null;
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    const value = parse(line);
    if (value && typeof value.c === "string" && "h" in value) records.push({ version: value.version, h: String(value.h), c: value.c, commit: parse(value.c) });
    else if (value && value.end === true && !end) {
      end = value;
      const whole = new Uint8Array(bytes).subarray(0, utf8.encode(lines.slice(0, index).join("\n") + "\n").length);
      const sum = hex(await sha256(whole));
      if (sum !== value.sha256) findings.fail("file", null, `the file's own check sum is ${sum}, its last line says ${String(value.sha256).slice(0, 64)}: something in the file was altered`);
      if (index !== lines.length - 1) findings.fail("file", null, `something follows the end, at line ${index + 2}`);
    } else if (!value || !("views" in value)) findings.fail("file", null, `line ${index + 1} is none that an export has`);
  }
  if (!end) findings.fail("file", null, "the file has no last line: it was cut off");
  if (records.length !== header.commits) findings.fail("file", null, `the header says ${header.commits} commits, the file holds ${records.length}`);
  return { header, records };
}

async function checkChain(records, game, findings) {
  let before = new Uint8Array(32);
  let clock = null;
  for (const [index, record] of records.entries()) {
    const expected = index + 1;
    const fail = (message) => findings.fail("chain", expected, message);
    if (record.version !== expected) fail(`version ${record.version} stands where version ${expected} belongs`);
    const computed = hex(await sha256(joined(before, utf8.encode(record.c))));
    record.computed = computed;
    if (!HASH.test(record.h)) fail(`“${record.h.slice(0, 80)}” is no chain hash`);
    else if (computed !== record.h) fail(`the commit and the hash before it give ${computed}, the file says ${record.h}: the commit or a hash was altered`);
    // Go on from what the file says, so that one fault does not drown the rest.
    before = HASH.test(record.h) ? unhex(record.h) : unhex(computed);
    const { commit } = record;
    if (!commit || !Array.isArray(commit.events)) {
      fail("the commit cannot be read");
      continue;
    }
    if (commit.version !== expected) fail(`the commit calls itself version ${commit.version}, it stands at ${expected}`);
    if (commit.game !== game || commit.command?.game !== game) fail(`the commit is of game “${commit.game}”, the file of “${game}”`);
    const found = ENTRY.exec(commit.entry ?? "");
    if (!found) fail(`“${commit.entry}” is no id of a stream's entry`);
    else {
      const entry = [BigInt(found[1]), BigInt(found[2])];
      if (clock && (entry[0] < clock[0] || (entry[0] === clock[0] && entry[1] <= clock[1]))) fail(`its command stands at entry ${commit.entry}, at or before the one of the commit before: entries only rise`);
      clock = entry;
    }
  }
}

async function checkSeed(created, finished, last, findings) {
  if (!created || !HASH.test(created.commitment ?? "")) return findings.fail("commitment", 1, "the first commit opens no game with a commitment"), null;
  if (!finished) return findings.skip("commitment", "the game still runs, or was cut short: the seed is revealed by its last commit"), null;
  if (!HASH.test(finished.seed ?? "")) return findings.fail("commitment", last, "the last commit reveals no seed of 32 bytes"), null;
  const seed = unhex(finished.seed);
  const computed = hex(await sha256(seed));
  if (computed === created.commitment) return seed;
  findings.fail("commitment", last, `the revealed seed's SHA-256 is ${computed}, the first commit promised ${created.commitment}`);
  return null;
}

async function checkDraws(records, created, seed, findings, progress) {
  const entropy = Array.isArray(created?.entropy) ? [...created.entropy] : [];
  const ruleset = String(created?.ruleset ?? "").split("@")[0];
  const pools = POOLS[ruleset]?.(created) ?? {};
  const count = { words: 0, outcomes: 0, recomputed: 0 };
  let stream = null;
  let due = 0;
  for (const record of records) {
    const { commit, version } = record;
    record.draws = [];
    if (!commit || !Array.isArray(commit.events)) continue;
    for (const event of commit.events) {
      if (event.type !== "game.readied" || event.entropy == null) continue;
      if (Number.isInteger(event.seat) && event.seat >= 0 && event.seat < entropy.length) entropy[event.seat] = event.entropy;
      else findings.fail("draws", version, `somebody adds to the draws at seat ${event.seat}, which this game does not have`);
    }
    const drawn = commit.events.flatMap((event) => drawsOf(event));
    count.outcomes += drawn.length;
    const fail = (message) => findings.fail("draws", version, message);
    if (!commit.draws) {
      if (drawn.length) fail(`it holds ${drawn.length} drawn outcomes, but no words of the dealer's stream`);
      continue;
    }
    const [from, to] = commit.draws;
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to - from > 100_000) {
      fail("its range of words cannot be");
      continue;
    }
    const says = `it says that it used the words ${from} to ${to} of the dealer's stream`;
    if (from !== due) fail(`${says}, but the next one due is ${due}`);
    if (!drawn.length || to < from + drawn.length) fail(`${says}, but it holds ${drawn.length} drawn outcomes`);
    due = Math.max(due, to);
    count.words += Math.max(0, to - from);
    if (!seed) continue;
    // The players' entropy is complete once the first card is drawn.
    stream ??= await dealerStream(seed, joinEntropy(entropy));
    let at = from;
    for (const draw of drawn) {
      const chance = draw.chance(pools, created);
      if (!chance) {
        // Not known here among how many it was drawn: one word, unless that one had to be passed over.
        record.draws.push({ ...draw, word: at, value: null });
        at = at === null || to - from !== drawn.length ? null : at + 1;
        continue;
      }
      if (at === null) continue;
      const { value, next } = await below(stream, chance.n, at);
      const dealt = chance.outcome(value);
      record.draws.push({ ...draw, word: at, value: dealt });
      at = next;
      count.recomputed += 1;
      if (dealt !== draw.outcome) fail(`word ${next - 1} of the dealer's stream gives ${dealt}, the commit says ${JSON.stringify(draw.outcome)} (${draw.what})`);
      chance.take?.(draw.outcome);
    }
    if (at !== null && at !== to) fail(`${says}, but its draws use them up to ${at}`);
    progress?.(version);
  }
  return count;
}

/**
 * Verify an exported file (its bytes). Returns `{header, created, finished, head, records, count, checks, clean}`; a
 * check is `{name, verdict: "ok" | "failed" | "skipped", version, message, faults}`, version being the first at fault.
 * Raises Error, in words, for what is no export at all, and where this browser lends no WebCrypto.
 */
export async function verify(bytes, progress) {
  if (!globalThis.crypto?.subtle) throw new Error("This browser lends its cryptography only to pages from https or from this very machine. Open the page so, or use: fairdeal audit.");
  const findings = new Findings(["file", "chain", "commitment", "draws"]);
  const { header, records } = await read(bytes, findings);
  await checkChain(records, header.game, findings);
  const events = records.flatMap(({ commit }) => (Array.isArray(commit?.events) ? commit.events : []));
  const created = records[0]?.commit?.events?.find?.((event) => event.type === "game.created") ?? null;
  const finished = events.findLast((event) => event.type === "game.finished") ?? null;
  const seed = await checkSeed(created, finished, records.length, findings);
  const count = await checkDraws(records, created, seed, findings, progress);
  if (!seed) findings.skip("draws", "without the promised seed only the order of the words can be checked, and that is as it should be");
  const checks = [...findings.checks.values()];
  return { header, created, finished, head: records.at(-1)?.h ?? "", records, count, checks, clean: !checks.some((check) => check.verdict === "failed") };
}
