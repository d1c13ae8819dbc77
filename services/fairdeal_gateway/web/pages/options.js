/** A ruleset's options as fields, made from their JSON schema. */

import { clear, h } from "../dom.js";
import { inWords } from "../words.js";

/** The simple form of a schema: what kind of field it is. Null for what no plain field can hold. */
function kindOf(schema) {
  const parts = schema.anyOf ?? [schema];
  const kinds = parts.filter((part) => part.type !== "null");
  if (kinds.length === 1) {
    const [only] = kinds;
    const nullable = kinds.length < parts.length;
    if (only.enum) return { ...only, kind: "choice" };
    if (only.type === "boolean") return { ...only, kind: "switch" };
    if (only.type === "integer" || only.type === "number") return { ...only, kind: "number", nullable };
    if (only.type === "string") return { ...only, kind: "text" };
  }
  return null;
}

/**
 * `node` to show, and `chosen()`: the preset's name and what differs from it, as `game.create` takes them. Options
 * that are lists are shown by their defaults, which only a preset changes here.
 */
export function optionFields(ruleset) {
  const properties = Object.entries(ruleset.options.properties ?? {}).filter(([name]) => name !== "deck_sha256");
  const defaults = Object.fromEntries(properties.map(([name, schema]) => [name, schema.default]));
  const presets = Object.keys(ruleset.presets ?? {});
  let preset = "";
  let values = { ...defaults };
  const basis = () => ({ ...defaults, ...(preset ? ruleset.presets[preset] : {}) });
  const fields = h("div", { class: "options" });
  const summary = h("summary");

  const differs = (name) => JSON.stringify(values[name]) !== JSON.stringify(basis()[name]);

  function count() {
    const changed = properties.filter(([name]) => differs(name)).length;
    summary.textContent = changed ? `All options (${changed} changed)` : `All ${properties.length} options`;
  }

  function field(name, schema) {
    const kind = kindOf(schema);
    if (!kind) return null;
    const set = (value) => {
      values[name] = value;
      box.classList.toggle("changed", differs(name));
      count();
    };
    const help = h("span", { class: "help", id: `help-${name}` }, (schema.description ?? "").replaceAll("`", ""));
    const common = { "data-key": `option:${name}`, "aria-describedby": help.id };
    let box;
    if (kind.kind === "switch") {
      box = h(
        "div",
        null,
        h("label", { class: "check" }, h("input", { type: "checkbox", checked: values[name], onchange: (event) => set(event.target.checked), ...common }), h("span", null, inWords(name))),
        help,
      );
    } else {
      let control;
      if (kind.kind === "choice") {
        control = h(
          "select",
          { value: JSON.stringify(values[name]), onchange: (event) => set(JSON.parse(event.target.value)), ...common },
          kind.enum.map((value) => h("option", { value: JSON.stringify(value) }, inWords(value))),
        );
      } else if (kind.kind === "number") {
        const step = kind.multipleOf ?? (kind.type === "integer" ? 1 : "any");
        control = h("input", {
          type: "number", min: kind.minimum, max: kind.maximum, step, required: !kind.nullable, placeholder: kind.nullable ? "no limit" : null,
          value: values[name], oninput: (event) => set(event.target.value === "" ? null : Number(event.target.value)), ...common,
        });
      } else {
        control = h("input", { pattern: kind.pattern, value: values[name], oninput: (event) => set(event.target.value), ...common });
      }
      box = h("div", { class: "stack-tight" }, h("label", { class: "field" }, h("span", null, inWords(name)), control), help);
    }
    box.classList.toggle("changed", differs(name));
    return box;
  }

  function paint() {
    clear(fields, properties.map(([name, schema]) => field(name, schema)));
    count();
  }

  paint();
  const node = h(
    "div",
    { class: "stack" },
    presets.length
      ? h(
          "label",
          { class: "field" },
          h("span", null, "Preset"),
          h(
            "select",
            {
              "data-key": "preset",
              onchange: (event) => {
                preset = event.target.value;
                values = basis();
                paint();
              },
            },
            h("option", { value: "" }, "The ruleset's own defaults"),
            presets.map((name) => h("option", { value: name }, inWords(name))),
          ),
        )
      : null,
    h("details", null, summary, fields),
  );
  // What is wrong must be seen to be mended.
  node.addEventListener("invalid", () => (node.querySelector("details").open = true), true);
  return {
    node,
    chosen: () => ({
      ...(preset ? { preset } : {}),
      ...Object.fromEntries(properties.filter(([name]) => differs(name)).map(([name]) => [name, values[name]])),
    }),
  };
}
