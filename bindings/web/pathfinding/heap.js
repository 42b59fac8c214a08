// A binary heap, least first, with the methods that PathFinding.js passes on from the package
// `heap`.

export class Heap {
  constructor(compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)) {
    this.cmp = compare;
    this.nodes = [];
  }

  push(item) {
    this.nodes.push(item);
    this.#rise(this.nodes.length - 1);
  }

  pop() {
    const last = this.nodes.pop();
    return this.nodes.length === 0 ? last : this.replace(last);
  }

  peek() {
    return this.nodes[0];
  }

  /** Takes the least item out, and puts another one in. */
  replace(item) {
    const least = this.nodes[0];
    this.nodes[0] = item;
    this.#sink(0);
    return least;
  }

  /** Puts an item in, and takes the least one out. */
  pushpop(item) {
    return this.nodes.length > 0 && this.cmp(this.nodes[0], item) < 0 ? this.replace(item) : item;
  }

  heapify() {
    for (let at = (this.nodes.length >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** Moves an item whose order has changed. */
  updateItem(item) {
    const at = this.nodes.indexOf(item);
    if (at >= 0) this.#sink(this.#rise(at));
  }

  clear() {
    this.nodes = [];
  }

  empty() {
    return this.nodes.length === 0;
  }

  size() {
    return this.nodes.length;
  }

  contains(item) {
    return this.nodes.includes(item);
  }

  clone() {
    const clone = new Heap(this.cmp);
    clone.nodes = [...this.nodes];
    return clone;
  }

  toArray() {
    return [...this.nodes];
  }

  #rise(at) {
    const item = this.nodes[at];
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.cmp(item, this.nodes[above]) >= 0) break;
      this.nodes[at] = this.nodes[above];
      at = above;
    }
    this.nodes[at] = item;
    return at;
  }

  #sink(at) {
    const item = this.nodes[at];
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.nodes.length) break;
      if (below + 1 < this.nodes.length && this.cmp(this.nodes[below + 1], this.nodes[below]) < 0) below++;
      if (this.cmp(item, this.nodes[below]) <= 0) break;
      this.nodes[at] = this.nodes[below];
      at = below;
    }
    this.nodes[at] = item;
  }
}
