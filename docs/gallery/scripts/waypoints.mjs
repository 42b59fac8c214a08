import { World } from "wayfare";

const places = { gate: [0, 4], mill: [6, 4], ford: [5, 9], well: [10, 8], tower: [13, 3], hut: [7, 0] };
const links = "gate mill, mill tower, gate ford, ford well, well tower, gate hut, hut tower, mill well";
const scene = [
  'scene = { name = "village" }',
  ...Object.entries(places).map(([id, [x, z]]) => `[[waypoints]]\nid = "${id}"\nat = [${x}, 0, ${z}]\ncost = ${id === "mill" ? 2 : 0}`),
  ...links.split(", ").map((link) => link.split(" ")).map(([from, to]) => `[[links]]\nfrom = "${from}"\nto = "${to}"`),
];
const world = World.open("village.toml", new TextEncoder().encode(scene.join("\n")));
const { path } = world.solve(world.find("gate"), world.find("tower"), { algorithm: "astar" });
console.log([...path].map((state) => world.place(state)).join(", "));
