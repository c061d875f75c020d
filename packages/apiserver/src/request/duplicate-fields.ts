/** An object or list that is open at the current position. */
interface Frame {
  readonly path: string;
  /** Keys seen so far; `undefined` for a list. */
  readonly keys: Set<string> | undefined;
  /** The key, or the list index, of the current value. */
  key: string;
  index: number;
  expectsKey: boolean;
}

/** Called with each key of a JSON text; `isRepeated` when the same object already contained it. */
type KeyVisitor = (path: string, isRepeated: boolean) => void;

/**
 * Returns the paths of duplicate keys in a JSON text: `data.a`, `spec.containers[0].name`.
 *
 * @param json - valid JSON: its syntax is not checked again.
 */
export function duplicateFields(json: string): string[] {
  const duplicates = new Set<string>();
  visitKeys(json, (path, isRepeated) => {
    if (isRepeated) {
      duplicates.add(path);
    }
  });
  return [...duplicates];
}

/** A problem of a field in a text. */
export interface FieldMistake {
  readonly field: string;
  readonly problem: "duplicate" | "unknown";
}

/** Sorts mistakes by their position in a JSON text. */
export function inDocumentOrder(json: string, mistakes: readonly FieldMistake[]): FieldMistake[] {
  const missing = new Map(mistakes.map((one) => [`${one.problem} ${one.field}`, one]));
  const ordered: FieldMistake[] = [];
  visitKeys(json, (path, isRepeated) => {
    const id = `${isRepeated ? "duplicate" : "unknown"} ${path}`;
    const found = missing.get(id);
    if (found !== undefined) {
      missing.delete(id);
      ordered.push(found);
    }
  });
  return [...ordered, ...missing.values()];
}

function visitKeys(json: string, visit: KeyVisitor): void {
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case "{":
      case "[": {
        const isObject = json[at] === "{";
        const path = frame === undefined ? "" : placeIn(frame);
        const keys = isObject ? new Set<string>() : undefined;
        frame = { path, keys, key: "", index: 0, expectsKey: isObject };
        frames.push(frame);
        break;
      }
      case "}":
      case "]":
        frames.pop();
        frame = frames.at(-1);
        break;
      case ",":
        if (frame !== undefined) {
          frame.index++;
          frame.expectsKey = frame.keys !== undefined;
        }
        break;
      case '"': {
        const end = stringEnd(json, at);
        if (frame?.keys !== undefined && frame.expectsKey) {
          frame.expectsKey = false;
          frame.key = stringOf(json, at, end);
          visit(placeIn(frame), frame.keys.has(frame.key));
          frame.keys.add(frame.key);
        }
        at = end;
        break;
      }
      default: // white space, colons, numbers and literals
    }
  }
}

/** Returns the position of the closing quote of a string. */
function stringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && backslashesBefore(json, end) % 2 === 1) {
    end = json.indexOf('"', end + 1);
  }
  return end < 0 ? json.length : end;
}

function backslashesBefore(json: string, end: number): number {
  let first = end;
  while (json[first - 1] === "\\") {
    first--;
  }
  return end - first;
}

function stringOf(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

function placeIn({ path, keys, key, index }: Frame): string {
  if (keys === undefined) {
    return `${path}[${index}]`;
  }
  return path === "" ? key : `${path}.${key}`;
}
