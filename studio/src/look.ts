// Colours. Statuses differ in lightness and along blue and yellow, which every kind of colour
// vision tells apart; ends differ in shape too.

import type { Ground } from "wayfare";

export type Rgb = [number, number, number];

export interface Look {
  id: string;
  label: string;
  isDark: boolean;
  background: Rgb;
  floor: Rgb;
  wall: Rgb;
  /** A tint over the shadow that a wall casts on the floor, 0 to 1. */
  shade: number;
  open: Rgb;
  /** From the state expanded first to the one expanded last. */
  closed: [Rgb, Rgb];
  /** The same for a search from the goal. */
  backward: [Rgb, Rgb];
  path: Rgb;
  pathEdge: Rgb;
  start: Rgb;
  goal: Rgb;
  reached: Rgb;
  line: Rgb;
  /** From low to high. */
  ramp: Rgb[];
  /** Whether lines to the parents are drawn over all states. */
  showsParents: boolean;
}

function hex(text: string): Rgb {
  const value = Number.parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const ramp = ["#24307a", "#2b6a9b", "#3aa39a", "#9ccb66", "#fde36b"].map(hex);

const dark: Look = {
  id: "dark",
  label: "Dark",
  isDark: true,
  background: hex("#101317"),
  floor: hex("#232931"),
  wall: hex("#0b0d10"),
  shade: 0.35,
  open: hex("#7fd4ff"),
  closed: [hex("#274472"), hex("#3f78c4")],
  backward: [hex("#5a3a6e"), hex("#a06fc0")],
  path: hex("#ffc145"),
  pathEdge: hex("#15110a"),
  start: hex("#f4f6f8"),
  goal: hex("#ffc145"),
  reached: hex("#3f78c4"),
  line: hex("#8fa1b5"),
  ramp,
  showsParents: false,
};

const light: Look = {
  ...dark,
  id: "light",
  label: "Light",
  isDark: false,
  background: hex("#eceae4"),
  floor: hex("#fbfaf7"),
  wall: hex("#4b4f57"),
  shade: 0.16,
  open: hex("#2b7fd4"),
  closed: [hex("#c9dcf5"), hex("#8fb6ea")],
  backward: [hex("#e3d0ee"), hex("#c39add")],
  path: hex("#d9730d"),
  pathEdge: hex("#ffffff"),
  start: hex("#1d2126"),
  goal: hex("#d9730d"),
  reached: hex("#8fb6ea"),
  line: hex("#6d7782"),
};

const visitedBlack: Look = {
  ...light,
  id: "visited-black",
  label: "Visited black",
  background: hex("#d8d8d8"),
  floor: hex("#ffffff"),
  wall: hex("#8a8a8a"),
  open: hex("#bdbdbd"),
  closed: [hex("#000000"), hex("#1c1c1c")],
  backward: [hex("#303030"), hex("#404040")],
  path: hex("#12a150"),
  pathEdge: hex("#ffffff"),
  start: hex("#d0342c"),
  goal: hex("#1f5fff"),
  ramp: ["#fff34d", "#ffb31f", "#f2541b", "#b3001b"].map(hex),
};

const openGreen: Look = {
  ...light,
  id: "open-green",
  label: "Open green, closed blue",
  floor: hex("#f4f4f4"),
  wall: hex("#303030"),
  open: hex("#4ec26a"),
  closed: [hex("#8ec5ff"), hex("#3f8ef0")],
  path: hex("#e02424"),
  start: hex("#101010"),
  goal: hex("#e02424"),
  showsParents: true,
};

/** The colour of breakpoints in every look. */
export const BREAK: Rgb = hex("#d63031");

export const LOOKS: Look[] = [dark, light, visitedBlack, openGreen];

/** Numbers told apart: neighbouring ones differ in hue. */
const NUMBERS = ["#5b8fb9", "#d98b5f", "#7fb069", "#b084cc", "#e0c15a", "#5fb3a8", "#c96f7e", "#8d9a5b", "#7a86c9", "#b99066"].map(hex);

/** The colour of an area or region by its number. */
export function numberColour(number: number): Rgb {
  return mix(NUMBERS[number % NUMBERS.length], [48, 48, 64], (Math.floor(number / NUMBERS.length) % 4) * 0.09);
}

/** The colour of a connected part of a world, counted from 1. */
export function islandColour(number: number): Rgb {
  return numberColour(number - 1);
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map((part) => Math.round(from[part] + (to[part] - from[part]) * share)) as Rgb;
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** The colour at a place of a ramp, 0 to 1. */
export function along(ramp: Rgb[], share: number): Rgb {
  const place = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
  const below = Math.min(Math.floor(place), ramp.length - 2);
  return mix(ramp[below], ramp[below + 1], place - below);
}

/** A ground as the map shows it: calm enough for a search to stand out on it. */
export function groundColour(ground: Ground, look: Look): Rgb {
  const isPlain = ["ground", "free", "floor", "grass"].includes(ground.name);
  if (ground.is_open && isPlain && ground.name !== "grass") return look.floor;
  const own = ground.colour;
  const bright = (own[0] * 0.3 + own[1] * 0.59 + own[2] * 0.11) / 255;
  if (!ground.is_open && (bright < 0.35 || ["wall", "blocked", "rock"].includes(ground.name))) return look.wall;
  if (ground.is_open) return mix(own, look.floor, look.isDark ? 0.62 : 0.5);
  // Closed ground, as water: greyer than a search.
  const grey: Rgb = [bright * 255, bright * 255, bright * 255];
  return mix(mix(own, grey, 0.6), look.wall, look.isDark ? 0.72 : 0.45);
}
