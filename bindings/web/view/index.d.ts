/**
 * `<wayfare-view link="#s=…">`: the world and the first search of a link to the studio.
 *
 * Attributes: `link`; `worlds`, the folder of the sample worlds, for links that show one; `seconds`
 * that playing takes, default 6; `autoplay`. Events: `ready`, `end`, and `problem` with a sentence
 * as its detail.
 */
export class WayfareView extends HTMLElement {
  /** The part of the search that is shown, 0 to 1. */
  progress: number;
  /** Plays on, or from the beginning where the end is shown. */
  play(): void;
  pause(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "wayfare-view": WayfareView;
  }
}
