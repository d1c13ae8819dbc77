/** Foreign goods: the tokens of Demoludy, with which the Bazaar of Pan tu nie stał! is played too. */

import { h } from "../dom.js";
import * as kit from "./kit.js";

export const COUNTRIES = { red: "USSR", purple: "Turkey", blue: "Czechoslovakia", yellow: "GDR", green: "Hungary" };
export const COLOURS = Object.keys(COUNTRIES);
const GOODS = {
  red: ["Matryoshka", "Fur hat", "Camera", "Colour television", "Gold bracelet"],
  purple: ["Tea glasses", "Sweater", "Jeans", "Leather jacket", "Sheepskin coat"],
  blue: ["Automatic pencils", "Shoes", "Crystal set", "Mangle", "Tent"],
  yellow: ["Toy cars", "Tights", "Model railway", "Sewing machine", "Moped"],
  green: ["Paprika", "Salami", "Wine", "Cassette recorder", "Drill"],
};

/** `red` and 3 of `P-red-3` or `G-red-3`. */
export const parts = (id) => {
  const [, colour, value] = id.split("-");
  return { colour, value: Number(value) };
};
export const good = (token) => {
  const { colour, value } = parts(token);
  return { colour, value, name: GOODS[colour][value - 1] };
};

export const goodText = (token) => `${good(token).name} ${good(token).value}`;

/** A sign for each colour, so that none is told by its colour alone. */
export const SIGNS = {
  red: [["M12 2l2.9 6.6 7.1.7-5.4 4.8 1.6 7L12 17.4 5.8 21.1l1.6-7L2 9.3l7.1-.7Z"]],
  purple: [["M15 3a9.5 9.5 0 1 0 6 13A8 8 0 1 1 15 3Z"]],
  blue: [["M12 2 20 12 12 22 4 12Z"]],
  yellow: ["M12 1v4M12 19v4M1 12h4M19 12h4M4 4l3 3M17 17l3 3M20 4l-3 3M7 17l-3 3", ["M12 7a5 5 0 1 1-.01 0Z"]],
  green: [["M12 22C4 18 3 9 12 2c9 7 8 16 0 20Z"]],
};

/** A token: its value, its country's sign, what it is. */
export const token = (id, ...more) => {
  const { colour, value, name } = good(id);
  return h("span", { class: `dem-token dem-${colour}` }, h("b", {}, value), kit.icon(SIGNS[colour]), h("span", {}, name, h("small", {}, COUNTRIES[colour])), ...more);
};
