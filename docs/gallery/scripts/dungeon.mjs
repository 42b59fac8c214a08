import { World } from "wayfare";

const world = World.generate("rooms", 11, "[rooms]\nwidth = 80\nheight = 48\n");
const [start, goal] = world.ends();
console.log(`cost ${world.solve(start, goal).cost.toFixed(2)}`);
