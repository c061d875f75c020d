/** Says how much of a value is kept: all of it, or some of its fields. The items of a list are treated like the list. */
export class Selection {
  /** `true` when all of the value is kept. */
  whole = false;
  /** `true` for the object that gets the mark of `markProjected`: new ones have it from the start. */
  isMarked = false;
  /** Selections of the fields that are kept, by name. */
  readonly fields: Map<string, Selection> = new Map();

  /** Returns the selection of a field; adds it when it is missing. */
  at(name: string): Selection {
    let field = this.fields.get(name);
    if (field === undefined) {
      field = new Selection();
      this.fields.set(name, field);
    }
    return field;
  }

  /** Keeps all of the value, whatever was chosen of it before. */
  keepAll(): void {
    this.whole = true;
    this.fields.clear();
  }
}

/** Adds a path to a selection. A path into a value that is kept as a whole adds nothing. */
export function select(root: Selection, path: readonly string[]): void {
  let at = root;
  for (const name of path) {
    if (at.whole) {
      return;
    }
    at = at.at(name);
  }
  at.keepAll();
}

/** Returns the paths of a selection in a fixed order, each as JSON. */
export function* pathsOf(selection: Selection, before: readonly string[] = []): Iterable<string> {
  if (selection.whole) {
    yield JSON.stringify(before);
    return;
  }
  for (const name of [...selection.fields.keys()].sort()) {
    yield* pathsOf(selection.fields.get(name) as Selection, [...before, name]);
  }
}

/** Returns whether a selection keeps everything that another one keeps. */
export function contains(outer: Selection, inner: Selection): boolean {
  if (outer.whole || inner.whole) {
    return outer.whole;
  }
  for (const [name, field] of inner.fields) {
    const same = outer.fields.get(name);
    if (same === undefined || !contains(same, field)) {
      return false;
    }
  }
  return true;
}
