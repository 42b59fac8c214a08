import { World } from "wayfare";

const world = World.generate("caves", 5, "[caves]\nwidth = 96\nheight = 64\n");
const [start, goal] = world.ends();

const { expanded, cost } = world.finish(world.search(start, goal, { algorithm: "greedy" }));
console.log(`${expanded} expanded, cost ${cost.toFixed(2)}`);
