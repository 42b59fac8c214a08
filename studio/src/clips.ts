// The animations whose weights are shown for an agent.

/** Animations of a body, each with the speed in metres a second that it is for. */
export const CLIPS: [string, number][] = [["idle", 0], ["walk", 1.4], ["run", 4]];
