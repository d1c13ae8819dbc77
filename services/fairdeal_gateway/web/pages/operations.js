/** How the deployment stands: workers, leases, what waits, rates, latencies, dead letters. */

import { clear, h, svg } from "../dom.js";
import { get, now } from "../api.js";
import { problemBox } from "../say.js";
import { tokenFor } from "../session.js";
import { counted, inWords, moment, timeOf } from "../words.js";

const EVERY_MS = 2000;
/** A worker whose heartbeat is older than this is told as silent; its leases run out by themselves. */
const SILENT_MS = 4000;

export default function operations(root) {
  const token = tokenFor(["host"]);
  const body = h("div", { class: "stack" });
  const state = h("span", { class: "link-state", role: "status" });
  clear(root, h("div", { class: "head" }, h("h1", null, "Operations"), state), body);
  if (!token) {
    clear(body, problemBox({ title: "A host token is needed", detail: "Only a host sees how the deployment stands. Add a host token under “Access”." }));
    return undefined;
  }
  const stop = new AbortController();
  let timer = null;
  let onlyTrouble = false;
  let last = null;

  async function look() {
    try {
      if (!document.hidden || !last) {
        last = await get("operations", { token, signal: stop.signal });
        state.dataset.state = "live";
        state.textContent = `As of ${timeOf(last.now)}`;
        paint();
      }
    } catch (problem) {
      if (stop.signal.aborted) return;
      state.dataset.state = "retry";
      state.textContent = `${problem.title ?? problem.message}; trying again`;
      if (!last) clear(body, problemBox(problem));
      if ([401, 403].includes(problem.status)) return;
    }
    if (!stop.signal.aborted) timer = setTimeout(look, EVERY_MS);
  }

  function paint() {
    const focused = document.activeElement?.dataset?.key;
    const scrolled = body.querySelector(".places .scroll")?.scrollLeft ?? 0;
    clear(
      body,
      tiles(last),
      h("div", { class: "two" }, workersPanel(last), latencyPanel(last.latency)),
      places(last, onlyTrouble, (value) => {
        onlyTrouble = value;
        paint();
      }),
      deadPanel(last),
    );
    const scroll = body.querySelector(".places .scroll");
    if (scroll) scroll.scrollLeft = scrolled;
    if (focused) body.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  look();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const isWell = (one) => one.worker !== null && !one.lag && !one.missing && !Object.keys(one.parked).length;

function tiles({ deployment, partitions, rates, dead }) {
  const lag = sum(partitions, (one) => sum(one.progress, (role) => role.lag));
  const held = sum(partitions, (one) => one.progress.filter((role) => role.worker !== null).length);
  const all = sum(partitions, (one) => one.progress.length);
  const parked = sum(partitions, (one) => sum(one.progress, (role) => Object.keys(role.parked).length));
  const letters = sum(partitions, (one) => one.dead);
  const clocks = sum(partitions, (one) => one.deadlines);
  const perSecond = (key) => (rates.length ? sum(rates, (rate) => rate[key]).toLocaleString("en", { maximumFractionDigits: 1 }) : "–");
  const tile = (name, value, kind, more) =>
    h("div", { class: "tile", "data-tile": name }, h("span", { class: "muted small" }, name), h("span", { class: "big" }, value), h("span", { class: "small" }, kind ? h("span", { class: ["tag", kind] }, more) : h("span", { class: "muted" }, more)));
  return h(
    "section",
    { class: "tiles", "aria-label": "At a glance" },
    tile("Leases held", `${held} of ${all}`, held < all ? "bad" : "good", held < all ? `${counted(all - held, "place")} unserved` : "all served"),
    tile("Waiting", lag.toLocaleString("en"), lag > 1000 ? "warn" : "", lag === 1 ? "entry to do" : "entries to do"),
    tile("Commands", perSecond("commands_per_s"), "", "a second"),
    tile("Commits", perSecond("commits_per_s"), "", "a second"),
    tile("On the clock", clocks.toLocaleString("en"), "", clocks === 1 ? "game" : "games"),
    tile("Dead letters", letters.toLocaleString("en"), letters ? "bad" : "good", letters ? `newest: ${dead[0]?.reason.slice(0, 24) ?? "below"}` : "none"),
    tile("Parked", parked.toLocaleString("en"), parked ? "bad" : "good", parked ? "games left alone" : "no game"),
    h("div", { class: "tile" }, h("span", { class: "muted small" }, "Deployment"), h("span", { class: "big" }, deployment.namespace), h("span", { class: "muted small" }, counted(deployment.partitions, "partition"))),
  );
}

function workersPanel({ workers, partitions }) {
  const roles = Object.entries(workers);
  const served = (role, name) => partitions.filter((one) => one.progress.some((place) => place.role === role && place.worker === name)).length;
  const rows = roles.flatMap(([role, beats]) => {
    const names = Object.entries(beats).sort();
    if (!names.length) return [h("tr", null, h("th", { scope: "row" }, inWords(role)), h("td", { colspan: 3 }, h("span", { class: "tag bad" }, "no worker")))];
    return names.map(([name, age], index) =>
      h(
        "tr",
        { "data-worker": name, "data-role": role },
        index ? h("td") : h("th", { scope: "row" }, inWords(role)),
        h("td", null, h("code", { class: "break" }, name)),
        h("td", { class: "num" }, served(role, name)),
        h("td", null, age > SILENT_MS ? h("span", { class: "tag bad" }, `silent for ${Math.round(age / 1000)} s`) : h("span", { class: "tag good" }, "alive")),
      ),
    );
  });
  return h(
    "section",
    { class: "panel", "aria-labelledby": "workers" },
    h("h2", { id: "workers" }, "Workers"),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of workers", "data-key": "scroll-workers" }, h("table", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, "Role"), h("th", { scope: "col" }, "Worker"), h("th", { scope: "col", class: "num" }, "Leases"), h("th", { scope: "col" }, "Heartbeat"))), h("tbody", null, rows))),
  );
}

function latencyPanel(samples) {
  const newest = samples.at(-1);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "latency" },
    h("h2", { id: "latency" }, "Time from a command to its receipt"),
    newest
      ? [
          sparkline(samples),
          h("p", { class: "small" }, h("span", { class: "key" }), `half within ${ms(newest.p50)}`, h("span", { class: "muted" }, "  ·  "), h("span", { class: "key p99" }), `99 % within ${ms(newest.p99)}`),
          h("p", { class: "muted small" }, `Commands sent through this gateway, from ${timeOf(samples[0].at)} to ${timeOf(newest.at)}; ${counted(newest.count, "command")} in the newest bucket.`),
        ]
      : h("p", { class: "muted" }, "No command was sent through this gateway in the last minutes."),
  );
}

const ms = (value) => `${value.toLocaleString("en", { maximumSignificantDigits: 3 })} ms`;

function sparkline(samples) {
  const [width, height] = [480, 90];
  const top = Math.max(1, ...samples.map((one) => one.p99)) * 1.1;
  const [from, to] = [samples[0].at, Math.max(samples.at(-1).at, samples[0].at + 1)];
  const line = (key) => {
    const points = samples.map((one) => `${(((one.at - from) / (to - from)) * width).toFixed(1)} ${(height - 4 - (one[key] / top) * (height - 8)).toFixed(1)}`);
    return `M${points.length === 1 ? `${points[0]} L${width} ${points[0].split(" ")[1]}` : points.join(" L")}`;
  };
  const highest = Math.max(...samples.map((one) => one.p99));
  return svg(
    "svg",
    { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `Latency over the last minutes, at most ${ms(highest)}` },
    svg("path", { class: "base", d: `M0 ${height - 4}H${width}`, fill: "none" }),
    svg("path", { class: "p99", d: line("p99"), "vector-effect": "non-scaling-stroke" }),
    svg("path", { class: "p50", d: line("p50"), "vector-effect": "non-scaling-stroke" }),
  );
}

function places({ partitions, rates, workers }, onlyTrouble, choose) {
  const roles = Object.keys(workers);
  const rows = partitions
    .filter((one) => !onlyTrouble || !one.progress.every(isWell))
    .map((one) => {
      const rate = rates.find((other) => other.partition === one.partition);
      return h(
        "tr",
        null,
        h("th", { scope: "row" }, one.partition),
        one.progress.map((role) => cell(one.partition, role)),
        h("td", { class: "num" }, rate ? `${rate.commands_per_s} / ${rate.commits_per_s}` : "–"),
      );
    });
  return h(
    "section",
    { class: "panel places", "aria-labelledby": "places" },
    h("div", { class: "head" }, h("h2", { id: "places" }, "Partitions"), h("span", { class: "grow" }), h("label", { class: "check" }, h("input", { type: "checkbox", checked: onlyTrouble, "data-key": "only-trouble", onchange: (event) => choose(event.target.checked) }), h("span", null, "Only where something is to be done"))),
    rows.length
      ? h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of partitions", "data-key": "scroll-places" },
          h(
            "table",
            { class: "matrix" },
            h("thead", null, h("tr", null, h("th", { scope: "col" }, "Partition"), roles.map((role) => h("th", { scope: "col" }, inWords(role))), h("th", { scope: "col", class: "num" }, "Commands / commits a second"))),
            h("tbody", null, rows),
          ),
        )
      : h("p", { class: "muted" }, "All is well everywhere."),
  );
}

/** One partition in one role: who holds the lease, what is done and to do, what is wrong. */
function cell(partition, role) {
  const parked = Object.entries(role.parked);
  return h(
    "td",
    { "data-partition": partition, "data-role": role.role, "data-well": String(isWell(role)) },
    role.worker === null ? h("span", { class: "tag bad" }, "nobody serves it") : h("code", { class: "break" }, role.worker),
    h("div", { class: "small muted" }, `${role.count.toLocaleString("en")} done · `, h(role.lag ? "strong" : "span", null, `${role.lag.toLocaleString("en")} to do`)),
    role.missing ? h("span", { class: "tag bad" }, `${role.missing} missing`) : null,
    role.attempts > 2 ? h("span", { class: "tag warn" }, `started ${role.attempts} times`) : null,
    parked.map(([game, why]) => h("span", { class: "tag bad", title: `${why.error} (${why.incident})` }, `${game} parked`)),
  );
}

function deadPanel({ dead, partitions }) {
  const all = sum(partitions, (one) => one.dead);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "dead" },
    h("h2", { id: "dead" }, "Dead letters"),
    dead.length
      ? [
          h(
            "div",
            { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of dead letters", "data-key": "scroll-dead" },
            h(
              "table",
              null,
              h("thead", null, h("tr", null, ["When", "Reason", "Game", "Partition", "Entry", "Incident"].map((text) => h("th", { scope: "col" }, text)))),
              h("tbody", null, dead.map((one) => h("tr", null, h("td", null, moment(one.at, now())), h("td", null, one.reason), h("td", null, one.game ?? "–"), h("td", { class: "num" }, one.partition), h("td", null, h("code", null, one.entry)), h("td", null, h("code", null, one.incident))))),
            ),
          ),
          all > dead.length ? h("p", { class: "muted small" }, `The newest ${dead.length} of ${all}.`) : null,
          h("p", { class: "muted small" }, "What they said may be a player's secret and is not shown here: ", h("code", null, "fairdeal dead inspect"), "."),
        ]
      : h("p", { class: "muted" }, "None: every command was understood or refused with its reason."),
  );
}
