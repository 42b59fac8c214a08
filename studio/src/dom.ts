// Elements by their ids, and new ones. Text is only ever set as text.

export function byId<Kind extends HTMLElement>(id: string): Kind {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element as Kind;
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text = "",
  className = "",
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
}

export function option(value: string, text = value): HTMLOptionElement {
  const element = make("option", text);
  element.value = value;
  return element;
}

/** A list of names with their values. */
export function facts(list: HTMLElement, rows: [string, string][]): void {
  list.replaceChildren(
    ...rows.map(([name, value]) => {
      const row = make("div");
      row.dataset.name = name;
      row.append(make("dt", name), make("dd", value));
      return row;
    }),
  );
}

export function save(name: string, blob: Blob): void {
  const link = make("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A count with groups of three digits. */
export function grouped(count: number): string {
  return count.toLocaleString("en").replaceAll(",", "\u2009");
}

/** A length or cost, with as many digits as say something. */
export function tidy(value: number): string {
  return Number.isInteger(value) ? grouped(value) : value.toFixed(value < 100 ? 2 : 1);
}

/** A text as a sentence. One that begins with the name of a file keeps it as it is. */
export function sentence(text: string): string {
  const isFile = /^[^\s:]*[./][^\s:]/.test(text);
  const begun = isFile ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
