/** An object or a list that is open where the reader stands. */
interface Frame {
  readonly path: string;
  /** The keys so far; `undefined` in a list. */
  readonly keys: Set<string> | undefined;
  /** The key whose value is read, or the position in a list. */
  key: string;
  index: number;
  expectsKey: boolean;
}

/** Hears of a key of a JSON text, and whether it stood in the same object before. */
type KeyVisitor = (path: string, isRepeated: boolean) => void;

/**
 * The paths of keys that stand more than once in an object of a JSON text: `data.a`, `spec.containers[0].name`.
 *
 * @param json - text that was parsed already: it is read here without a look at what may follow what.
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

/** What is wrong with a field of a text. */
export interface FieldMistake {
  readonly field: string;
  readonly problem: "duplicate" | "unknown";
}

/** Mistakes in the order in which a reader of a JSON text comes to them. */
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
      default: // white space, colons, numbers and words
    }
  }
}

/** Where the string ends that begins at a quote. */
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
