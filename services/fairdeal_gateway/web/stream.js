/** The live events of a game: server-sent events read by fetch, so that the token travels in a header. */

import { at, gamePath, request } from "./api.js";

/** The gateway sends a comment every 15 s; what is silent for longer than this is broken. */
const SILENCE_MS = 40_000;
const BACK_OFF_MS = [500, 1000, 2000, 4000, 8000, 15_000];

/** Take the messages out of a body as they come: `{id, event, data}`; `null` for a comment. */
async function* messages(body, touched) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      touched();
      rest += value;
      const parts = rest.split(/\r?\n\r?\n/);
      rest = parts.pop();
      for (const part of parts) {
        const message = { id: null, event: "message", data: "" };
        for (const line of part.split(/\r?\n/)) {
          const [, field, text] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
          if (field === "data") message.data += (message.data && "\n") + text;
          else if (field === "id" || field === "event") message[field] = text;
        }
        if (message.data || message.event !== "message") yield message;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Follow a game until it ends or `close()` is called, reconnecting for ever, ever more seldom, from the last
 * version that was seen.
 *
 * `onFrame(frame)` gets each version once, in order. `onState(state, detail)`: `connecting`, `live`, `retry`
 * (detail: seconds until then), `ended`, or `refused` (detail: the Problem; it is not tried again).
 */
export function follow(game, { as, token, onFrame, onState }) {
  let after = null;
  let closed = false;
  let tries = 0;
  let current = null;
  let wake = null;

  async function once() {
    current = new AbortController();
    let timer = null;
    const touched = () => {
      clearTimeout(timer);
      timer = setTimeout(() => current.abort(), SILENCE_MS);
    };
    try {
      touched();
      const response = await request(at(gamePath(game, "events"), { as }), {
        token,
        headers: { Accept: "text/event-stream", ...(after === null ? {} : { "Last-Event-ID": String(after) }) },
        signal: current.signal,
        seconds: 0,
      });
      onState("live");
      for await (const { event, data } of messages(response.body, touched)) {
        if (closed) return "closed";
        if (event === "end") return "ended";
        if (event === "dropped") return "dropped";
        if (event !== "frame") continue;
        const frame = JSON.parse(data);
        if (after !== null && frame.version <= after) continue;
        after = frame.version;
        tries = 0;
        onFrame(frame);
      }
      return "broken";
    } finally {
      clearTimeout(timer);
    }
  }

  async function run() {
    while (!closed) {
      if (tries === 0) onState("connecting");
      let outcome;
      let wait = null;
      try {
        outcome = await once();
      } catch (problem) {
        outcome = "broken";
        if ([400, 401, 403, 404].includes(problem.status)) {
          if (!closed) onState("refused", problem);
          return;
        }
        wait = problem.retry ? problem.retry * 1000 : null;
      }
      if (closed) return;
      if (outcome === "ended") return onState("ended");
      wait ??= BACK_OFF_MS[Math.min(tries, BACK_OFF_MS.length - 1)] * (0.75 + Math.random() / 2);
      tries += 1;
      onState("retry", Math.ceil(wait / 1000));
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, wait);
      });
    }
  }

  const hurry = () => wake?.();
  window.addEventListener("online", hurry);
  run();
  return {
    close() {
      closed = true;
      window.removeEventListener("online", hurry);
      current?.abort();
      wake?.();
    },
  };
}
