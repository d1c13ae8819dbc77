/** The proof of one game: what the dealer promised and revealed, and everything recomputed in this browser. */

import { clear, h } from "../dom.js";
import { at, gamePath, get, request } from "../api.js";
import { WHOLE } from "../draws.js";
import { problemBox, tell } from "../say.js";
import { tokenFor, viewers } from "../session.js";
import { verify } from "../verify.js";
import { counted, nameOf, titleOf } from "../words.js";

const NAMES = {
  file: "The file is whole",
  chain: "No commit was altered",
  commitment: "The seed is the promised one",
  draws: "The dealing follows the seed",
  seed: "The seed is the promised one",
  execution: "Every move obeyed the rules",
  conservation: "Nothing came from nowhere",
  views: "The stored views are right",
};
const VERDICTS = { ok: ["Holds", "good"], failed: ["Fault", "bad"], skipped: ["Not checked", ""] };

export default function proof(root, { game }) {
  const stop = new AbortController();
  const audit = game ? tokenFor(["audit"], game) : null;
  const facts = h("dl", { class: "facts" });
  const report = h("div", { class: "report", "aria-live": "polite" });
  const trouble = h("div");
  const picker = h("input", { type: "file", accept: ".ndjson,.jsonl,.json,application/x-ndjson", hidden: true, onchange: () => picker.files[0] && check(picker.files[0]) });
  const drop = h(
    "div",
    { class: "drop" },
    h("p", null, h("strong", null, "Drop an exported game here")),
    h("p", { class: "muted" }, "It is read in this browser and sent nowhere."),
    h("button", { "data-key": "pick", onclick: () => picker.click() }, "Choose a file"),
    picker,
  );

  clear(
    root,
    h(
      "div",
      { class: "head" },
      h("h1", null, game ? `Proof of ${game}` : "Proof"),
      game ? h("a", { class: "button", href: `#/table/${game}` }, "Table") : null,
      game ? h("a", { class: "button", href: `#/replay/${game}` }, "Replay") : null,
    ),
    trouble,
    h(
      "div",
      { class: "proof-grid" },
      h(
        "div",
        { class: "stack said" },
        game ? h("section", { class: "panel" }, h("h2", null, "What the dealer said"), facts) : null,
        h("section", { class: "panel stack" }, h("h2", null, "Check it yourself"), actions(), drop),
      ),
      report,
      explanation(),
    ),
  );
  clear(report, h("section", { class: "panel empty" }, "No game has been checked yet."));
  if (game) said();

  function actions() {
    if (!game) return h("p", null, "An export holds all of a game's truth: who holds an audit token downloads it from the game's proof page, or makes it with ", h("code", null, "fairdeal export"), ".");
    if (!audit) return h("p", null, "With an audit token for this game the export comes from the server by itself. Without one, check a file that an auditor gave you.");
    return h(
      "div",
      { class: "row" },
      h("button", { class: "primary", "data-key": "verify", onclick: fetchAndCheck }, "Verify in this browser"),
      h("button", { "data-key": "audit", onclick: askServer }, "Ask the server for its audit"),
      h("button", { "data-key": "download", onclick: download }, "Download the export"),
    );
  }

  /** The commitment and the revealed seed, from the replay that one's token allows. */
  async function said() {
    const viewer = viewers(game)[0];
    if (!viewer) {
      clear(facts, h("dt", null, "Token"), h("dd", null, "None for this game: only a file can be checked."));
      return;
    }
    try {
      const page = (from) => get(at(gamePath(game, "replay"), { from, to: from, as: viewer.as }), { token: viewer.token, signal: stop.signal });
      const opening = await page(1);
      const closing = opening.head > 1 ? await page(opening.head) : opening;
      const created = opening.frames[0]?.events.find((event) => event.type === "game.created");
      const finished = closing.frames[0]?.events.find((event) => event.type === "game.finished");
      clear(facts, factRows({ ruleset: created?.ruleset, commits: opening.head, commitment: created?.commitment, seed: finished?.seed, entropy: created?.entropy, players: created?.players }));
    } catch (problem) {
      if (!stop.signal.aborted) clear(trouble, problemBox(problem));
    }
  }

  const fetchExport = async () => {
    const response = await request(gamePath(game, "export"), { token: audit, signal: stop.signal, seconds: 60 });
    return new Uint8Array(await response.arrayBuffer());
  };

  async function fetchAndCheck() {
    try {
      await show(await fetchExport(), "the server's export");
    } catch (problem) {
      tell(problem);
    }
  }

  async function download() {
    try {
      const url = URL.createObjectURL(new Blob([await fetchExport()], { type: "application/x-ndjson" }));
      h("a", { href: url, download: `${game}.ndjson` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (problem) {
      tell(problem);
    }
  }

  async function check(file) {
    await show(new Uint8Array(await file.arrayBuffer()), file.name);
    picker.value = "";
  }

  async function show(bytes, name) {
    clear(report, h("section", { class: "panel empty" }, "Recomputing …"));
    try {
      const result = await verify(bytes);
      if (!stop.signal.aborted) clear(report, verdict(result, name));
    } catch (error) {
      clear(report, h("section", { class: "panel stack" }, h("h2", null, name), problemBox({ title: "This file cannot be checked", detail: error.message })));
    }
  }

  async function askServer() {
    clear(report, h("section", { class: "panel empty" }, "The server re-executes the game …"));
    try {
      clear(report, serverReport(await get(gamePath(game, "audit"), { token: audit, signal: stop.signal, seconds: 60 })));
    } catch (problem) {
      if (!stop.signal.aborted) clear(report, problemBox(problem));
    }
  }

  const over = (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    drop.classList.toggle("over", event.type === "dragover");
    if (event.type === "drop" && event.dataTransfer.files[0]) check(event.dataTransfer.files[0]);
  };
  for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, over);
  return () => {
    stop.abort();
    for (const type of ["dragover", "dragleave", "drop"]) document.removeEventListener(type, over);
  };
}

function factRows({ ruleset, commits, commitment, seed, entropy, players, head }) {
  const row = (term, ...what) => [h("dt", null, term), h("dd", null, what)];
  return [
    ruleset ? row("Ruleset", titleOf(ruleset), h("span", { class: "muted" }, ` ${ruleset}`)) : null,
    row("Commits", commits.toLocaleString("en")),
    commitment ? row("Commitment", h("span", { class: "hash" }, commitment)) : null,
    row("Revealed seed", seed ? h("span", { class: "hash" }, seed) : "Not yet: it is revealed when the game ends."),
    players?.length ? row("Players added", entropy.some(Boolean) ? players.map((name, seat) => h("div", null, name, ": ", entropy[seat] ? h("code", null, entropy[seat]) : h("span", { class: "muted" }, "nothing"))) : "Nothing") : null,
    head ? row("Chain’s head", h("span", { class: "hash" }, head)) : null,
  ];
}

const checkRow = ({ name, verdict, version, message, faults }) =>
  h(
    "li",
    { "data-check": name, "data-verdict": verdict },
    h("span", { class: ["tag", VERDICTS[verdict][1]] }, VERDICTS[verdict][0]),
    h(
      "div",
      null,
      h("strong", null, NAMES[name] ?? name),
      message ? h("p", null, version === null ? "" : h("strong", null, `Commit ${version}: `), h("span", { class: "break" }, message)) : null,
      faults > 1 ? h("p", { class: "muted small" }, `${faults} faults; this is the first.`) : null,
    ),
  );

function verdict({ header, created, finished, head, records, count, checks, clean }, name) {
  const ruleset = nameOf(created?.ruleset ?? header.ruleset ?? "");
  const first = checks.filter((check) => check.verdict === "failed" && check.version !== null).sort((left, right) => left.version - right.version)[0];
  const partly = !WHOLE.includes(ruleset) && count.recomputed < count.outcomes;
  const skipped = checks.filter((check) => check.verdict === "skipped");
  const summary = clean
    ? skipped.length
      ? "What can be checked so far holds."
      : "All that this browser can check holds."
    : first
      ? `Commit ${first.version} is at fault.`
      : "The file is at fault.";
  return h(
    "section",
    { class: "panel stack", "data-clean": String(clean) },
    h("h2", null, `${header.game}, from ${name}`),
    h("p", { class: ["notice", clean ? "good" : "bad"], "data-summary": true }, h("strong", null, summary)),
    h("ul", { class: "checks" }, checks.map(checkRow)),
    h(
      "p",
      { class: "muted small" },
      `${counted(records.length, "commit")}, ${counted(count.words, "word")} of the dealer's stream, ${counted(count.outcomes, "drawn outcome")}, ${count.recomputed.toLocaleString("en")} of them recomputed here.`,
      partly ? ` In ${titleOf(ruleset)} some cards come out of hands and heaps that only the rules know: of those this browser checks which words they used, not which card the word gives.` : "",
    ),
    strip(records, checks),
    h("dl", { class: "facts" }, factRows({ ruleset: created?.ruleset, commits: records.length, commitment: created?.commitment, seed: finished?.seed, players: created?.players, entropy: created?.entropy ?? [], head })),
    h("details", null, h("summary", null, "Every commit"), commitTable(records)),
  );
}

function strip(records, checks) {
  const bad = new Set(checks.filter((check) => check.version !== null && check.verdict === "failed").map((check) => check.version));
  const broken = (record, index) => record.computed !== record.h || bad.has(index + 1);
  const faults = records.filter(broken).length;
  return h(
    "figure",
    null,
    h("ol", { class: "strip", "aria-hidden": "true" }, records.map((record, index) => h("li", { class: broken(record, index) ? "bad" : record.draws?.length ? "" : "plain", title: `Commit ${index + 1}` }))),
    h("figcaption", { class: "muted small" }, `Each bar is a commit; the full ones drew from the dealer${faults ? `, ${counted(faults, "framed one is", "framed ones are")} at fault` : ""}.`),
  );
}

function commitTable(records) {
  const rows = records.map((record) => {
    const draws = record.commit?.draws;
    const outcomes = (record.draws ?? []).map((draw) => (draw.value === null ? `${draw.outcome}?` : String(draw.value)));
    return h(
      "tr",
      null,
      h("td", { class: "num" }, record.version),
      h("td", null, record.commit?.command?.action?.type ?? "unreadable"),
      h("td", null, h("code", null, record.h.slice(0, 12)), record.computed === record.h ? "" : h("span", { class: "tag bad" }, "differs")),
      h("td", null, draws ? `${draws[0]} to ${draws[1]}` : ""),
      h("td", null, outcomes.join(" ")),
    );
  });
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Every commit" },
    h("table", { class: "small" }, h("thead", null, h("tr", null, ["Version", "Action", "Hash", "Words", "Outcomes that the words give"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", null, rows)),
    h("p", { class: "muted small" }, "An outcome with a question mark is what the commit says; the word for it was counted, not recomputed."),
  );
}

function serverReport(report) {
  return h(
    "section",
    { class: "panel stack", "data-clean": String(report.clean) },
    h("h2", null, "The server's own audit"),
    h("p", { class: ["notice", report.clean ? "good" : "bad"] }, h("strong", null, report.clean ? "The server finds no fault." : "The server finds a fault.")),
    h("ul", { class: "checks" }, report.checks.map((check) => checkRow({ faults: 0, version: null, ...check }))),
    h("p", { class: "muted small" }, "This is what the server says of itself. Who does not want to trust it runs ", h("code", null, "fairdeal audit"), " on the export, on a machine of their own."),
  );
}

function explanation() {
  return h(
    "section",
    { class: "panel stack explained" },
    h("h2", null, "What is checked, and what is not"),
    h(
      "ul",
      null,
      h("li", null, "This browser recomputes the hash chain over every commit, the commitment from the revealed seed, and the dealer's stream from the seed and what the players added; then it deals every die, lot and stock anew and compares."),
      h("li", null, "In Perudo, Kuhhandel and Real or Fake that is every draw. In the other games cards also come out of hands and reshuffled heaps: of those it checks which words of the stream were used."),
      h("li", null, "It does not know the rules. That every move was allowed, and every effect right, only a re-execution shows: ", h("code", null, "fairdeal audit <file>"), " does it, from the same file."),
    ),
  );
}
