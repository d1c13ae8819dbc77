/** The dialog about the tokens that this tab holds. */

import { clear, h } from "./dom.js";
import { now } from "./api.js";
import { tell } from "./say.js";
import { addToken, forget, tokens } from "./session.js";
import { counted } from "./words.js";

const SCOPES = {
  host: ["Host", "opens games, mints tokens, sees operations"],
  seat: ["Seat", "plays"],
  watch: ["Watch", "sees what the table sees"],
  audit: ["Audit", "sees everything"],
};

/** What a token is good for, in words. */
function tokenWords(one) {
  const [, does] = SCOPES[one.scope] ?? ["", one.scope];
  const where = one.game ? `in ${one.game}` : "in every game";
  const late = [
    one.delay_commits ? counted(one.delay_commits, "commit") : null,
    one.delay_s ? counted(one.delay_s, "second") : null,
  ].filter(Boolean);
  return `${does} ${where}${late.length ? `, ${late.join(" and ")} late` : ""}`;
}

function untilWords(one) {
  if (!one.expires_at) return "";
  const minutes = Math.round((one.expires_at - now()) / 60_000);
  if (minutes <= 0) return "expired";
  if (minutes < 120) return `for ${counted(minutes, "more minute")}`;
  return minutes < 2880 ? `for ${counted(Math.round(minutes / 60), "more hour")}` : `for ${counted(Math.round(minutes / 1440), "more day")}`;
}

/** Show it. */
export function openAccess() {
  const list = h("ul", { class: "checks" });
  const field = h("input", { id: "token-field", autocomplete: "off", spellcheck: "false", class: "grow mono", required: true });
  const paint = () =>
    clear(
      list,
      tokens().map((one) =>
        h(
          "li",
          null,
          h("span", { class: "tag accent" }, one.scope === "seat" ? `Seat ${one.seat + 1}` : (SCOPES[one.scope]?.[0] ?? one.scope)),
          h(
            "div",
            { class: "row" },
            h("span", { class: "grow" }, tokenWords(one), h("br"), h("span", { class: "muted small" }, untilWords(one))),
            one.scope === "seat" || (one.scope === "watch" && one.game)
              ? h("a", { class: "button", href: `#/table/${one.game}`, onclick: () => dialog.close() }, "Table")
              : null,
            h("button", { onclick: () => (forget(one.token), paint()), "aria-label": `Forget the token that ${tokenWords(one)}` }, "Forget"),
          ),
        ),
      ),
      tokens().length ? null : h("li", null, h("span", { class: "tag" }, "None"), h("span", { class: "muted" }, "This tab holds no token yet.")),
    );
  async function add(event) {
    event.preventDefault();
    try {
      await addToken(field.value.trim());
      field.value = "";
      paint();
      changed = true;
    } catch (problem) {
      tell(problem);
    }
  }
  let changed = false;
  const dialog = h(
    "dialog",
    {
      "aria-labelledby": "access-title",
      onclose: () => {
        dialog.remove();
        if (changed) window.dispatchEvent(new Event("hashchange"));
      },
    },
    h("h2", { id: "access-title" }, "Access"),
    h("p", { class: "muted" }, "What you may see and do here hangs on the tokens that this tab holds. They are gone when it is closed."),
    list,
    h(
      "form",
      { onsubmit: add, class: "stack" },
      h("label", { class: "field" }, h("span", null, "A token that you were given"), field),
      h("div", { class: "row" }, h("button", { class: "primary" }, "Add"), h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    ),
  );
  paint();
  document.body.append(dialog);
  dialog.showModal();
}
