/** Looks at drawn tables and plays with their controls by chance, for the tests of the web table's games. */

import { h } from "/web/dom.js";

/** A reproducible chance (mulberry32). */
function chance(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { next, below: (count) => Math.floor(next() * count), of: (list) => list[Math.floor(next() * list.length)] };
}

const context = (job, act = async () => {}) => ({ names: job.names, seat: job.seat, act, h });
const BROKEN = /undefined|NaN|\[object|null/;

/** What is wrong with what is shown: words that no reader should see, text too small, too wide, controls unnamed. */
function faults(node) {
  const found = [];
  if (BROKEN.test(node.textContent)) found.push(`text: ${node.textContent.match(/.{0,40}(?:undefined|NaN|\[object|null).{0,40}/)[0]}`);
  const keys = new Set();
  for (const one of node.querySelectorAll("*")) {
    for (const { name, value } of one.attributes) if (BROKEN.test(value)) found.push(`${name}="${value}"`);
    const text = [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (text && Number.parseFloat(getComputedStyle(one).fontSize) < 14) found.push(`small text in ${one.className}`);
    if (!one.matches("button, input, select, textarea")) continue;
    const { key } = one.dataset;
    if (key === undefined) found.push(`no data-key on ${one.outerHTML.slice(0, 80)}`);
    if (keys.has(key)) found.push(`data-key ${key} twice`);
    keys.add(key);
    if (!(one.getAttribute("aria-label") || one.labels?.length || one.textContent.trim())) found.push(`no name on ${key}`);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push("wider than the window");
  return found;
}

/** Draw a view with its controls; {faults} of what is shown. */
export async function look(ruleset, job) {
  const module = await import(`/web/games/${ruleset}.js`);
  const drawn = module.draw(job.view, context(job));
  const controls = job.view.offers?.length ? module.controls(job.view, context(job)) : null;
  document.body.replaceChildren(...[drawn, controls].filter(Boolean));
  return faults(document.body);
}

/** The sentences of events as one viewer gets them. */
export async function say(ruleset, job) {
  const module = await import(`/web/games/${ruleset}.js`);
  return job.events.map((event) => module.sentence(event, context(job)));
}

const NUMBERS = ["", "0", "1", "10", "25", "90", "3000", "-5", "1.5", "many", "99999999999999999999"];

function touch(random, control) {
  if (!control.matches("input, textarea")) return control.click();
  control.focus();
  const value = random.next() < 0.5 ? random.of(NUMBERS) : String(random.below(400) * 10 ** random.below(3));
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Click and fill a view's controls by chance until an action is sent; null if none was within `most` touches. */
function attempt(module, job, seed, most) {
  let sent = null;
  const random = chance(seed);
  const controls = module.controls(job.view, context(job, async (action) => (sent ??= action)));
  document.body.replaceChildren(controls);
  const groups = controls.querySelectorAll(".g-offer");
  const group = random.below(groups.length);
  for (let touched = 0; touched < most && sent === null; touched += 1) {
    const within = random.next() < 0.95 ? controls.querySelectorAll(".g-offer")[group] : controls;
    const open = [...within.querySelectorAll("button:enabled, input:enabled, select:enabled")];
    if (!open.length) break;
    // Now and then what sends is preferred, so that many attempts come to an end.
    const main = open.filter((one) => one.matches(".g-main"));
    touch(random, main.length && random.next() < 0.15 ? random.of(main) : random.of(open));
  }
  return sent;
}

/** The actions that come out of some attempts. Goes on until each offer's type came out, at most `tries` times. */
export async function play(ruleset, job, { seed, tries, most = 60 }) {
  const module = await import(`/web/games/${ruleset}.js`);
  const wanted = new Set(job.view.offers.map((offer) => offer.type));
  const actions = [];
  for (let attempted = 0; attempted < tries && wanted.size; attempted += 1) {
    const action = attempt(module, job, seed + attempted, most);
    if (!action) continue;
    actions.push(action);
    wanted.delete(action.type);
  }
  return { actions, missing: [...wanted] };
}

/** One action, whatever it is. */
export async function move(ruleset, job, seed) {
  const module = await import(`/web/games/${ruleset}.js`);
  for (let attempted = 0; attempted < 50; attempted += 1) {
    const action = attempt(module, job, seed * 1000 + attempted, 60);
    if (action) return action;
  }
  return null;
}

/** Show a view's controls; what they send is kept in `window.sent`. */
export async function show(ruleset, job) {
  const module = await import(`/web/games/${ruleset}.js`);
  window.sent = [];
  document.body.replaceChildren(module.controls(job.view, context(job, async (action) => window.sent.push(action))));
}

window.probe = { look, say, play, move, show };
