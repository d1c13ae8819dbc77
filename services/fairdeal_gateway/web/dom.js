/** Making elements: `h` for HTML, `svg` for drawings, `clear` to empty one. */

const SVG = "http://www.w3.org/2000/svg";

/** Properties that live on the element, not in its markup, once somebody has touched it. */
const LIVE = new Set(["value", "checked", "selected", "indeterminate"]);

function build(node, attrs, children) {
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (name.startsWith("on") && typeof value === "function") {
      node.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name === "style" && value && typeof value === "object") {
      // By the object model: the page's policy forbids style attributes, not this.
      for (const [property, text] of Object.entries(value)) node.style.setProperty(property, String(text));
    } else if (value === false || value === null || value === undefined) {
      if (name.startsWith("aria-") && value === false) node.setAttribute(name, "false");
    } else if (name === "class" && Array.isArray(value)) {
      node.setAttribute("class", value.filter(Boolean).join(" "));
    } else {
      const text = value === true && !name.startsWith("aria-") ? "" : String(value);
      node.setAttribute(name, text);
    }
  }
  add(node, children);
  // After the children: a select can only take the value of an option that it has.
  for (const name of LIVE) {
    const value = attrs?.[name];
    if (value !== undefined && value !== null && name in node) node[name] = value;
  }
  return node;
}

function add(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(node, child);
    else if (child !== null && child !== undefined && child !== false && child !== true) node.append(child);
  }
}

/**
 * An HTML element. Attributes by their own names; `on<event>` listens; `class` may be a list (falsy parts are
 * left out); `style` is an object of properties (`{"--seat": "var(--seat-1)"}`); `true` is a bare attribute,
 * `false`, null and undefined none (but `aria-…: false` is "false"). Children: nodes, texts, numbers, lists.
 */
export function h(tag, attrs, ...children) {
  return build(document.createElement(tag), attrs, children);
}

/** An SVG element, with the same attributes and children as `h`. */
export function svg(tag, attrs, ...children) {
  return build(document.createElementNS(SVG, tag), attrs, children);
}

/** Empty a node, and fill it with the children if there are any. Returns the node. */
export function clear(node, ...children) {
  node.replaceChildren();
  add(node, children);
  return node;
}
