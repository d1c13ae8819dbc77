/** The games that have a drawn table, each loaded when its first table is opened. */
export const games = {
  perudo: () => import("./perudo.js"),
  kuhhandel: () => import("./kuhhandel.js"),
  demoludy: () => import("./demoludy.js"),
  real_or_fake: () => import("./real_or_fake.js"),
  perekupai: () => import("./perekupai.js"),
  pan_tu_nie_stal: () => import("./pan_tu_nie_stal.js"),
};
