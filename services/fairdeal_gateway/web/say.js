/** What the page says besides: short messages in the corner, and questions. */

import { h } from "./dom.js";

/** A message in the corner. `kind`: `bad` stays until it is closed or 12 s have passed. */
function toast(title, detail = "", kind = "") {
  const box = document.getElementById("toasts");
  const close = () => node.remove();
  const node = h(
    "div",
    { class: ["toast", kind], role: kind === "bad" ? "alert" : "status" },
    h("div", { class: "grow" }, h("strong", null, title), detail),
    h("button", { class: "quiet", "aria-label": "Close this message", onclick: close }, "×"),
  );
  box.append(node);
  while (box.children.length > 3) box.firstChild.remove();
  setTimeout(close, kind === "bad" ? 12_000 : 5000);
}

/** A problem as a message. What is no problem of the gateway's is an error of the page's own, and told too. */
export function tell(problem) {
  if (problem?.name === "AbortError") return;
  if (problem?.title === undefined) console.error(problem);
  toast(problem?.title ?? "The page stumbled", problem?.title ? problem.detail : String(problem?.message ?? problem), "bad");
}

/** A box about a problem, for where the page itself should have been. */
export function problemBox(problem, ...more) {
  return h(
    "div",
    { class: "notice bad stack", role: "alert" },
    h("div", null, h("strong", null, problem.title ?? "The page stumbled"), h("p", null, problem.detail ?? problem.message)),
    more.length ? h("div", { class: "row" }, more) : null,
  );
}

/** Ask a question in a dialog; true when it is confirmed. */
export function ask(title, text, yes, no = "Keep playing") {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { "aria-labelledby": "ask-title", onclose: () => (dialog.remove(), resolve(dialog.returnValue === "yes")) },
      h("h2", { id: "ask-title" }, title),
      h("p", null, text),
      h(
        "div",
        { class: "row" },
        h("button", { onclick: () => dialog.close("no"), autofocus: true }, no),
        h("button", { class: "danger", onclick: () => dialog.close("yes") }, yes),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Put a text on the clipboard and say so; where that is not allowed, show it to be copied by hand. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    const field = h("input", { value: text, readonly: true, "aria-label": what, class: "grow" });
    const dialog = h(
      "dialog",
      { onclose: () => dialog.remove() },
      h("h2", null, what),
      h("div", { class: "row" }, field),
      h("div", { class: "row" }, h("button", { onclick: () => dialog.close() }, "Close")),
    );
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  }
}
