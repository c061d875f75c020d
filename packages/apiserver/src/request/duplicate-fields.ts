const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/gs;

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

/** The paths of keys that stand more than once in an object of a JSON text: `data.a`, `spec.containers[0].name`. */
export function duplicateFields(json: string): string[] {
  const duplicates = new Set<string>();
  const frames: Frame[] = [];
  for (const [text] of json.matchAll(token)) {
    const frame = frames.at(-1);
    switch (text) {
      case "{":
      case "[":
        frames.push({
          path: frame === undefined ? "" : placeIn(frame),
          keys: text === "{" ? new Set() : undefined,
          key: "",
          index: 0,
          expectsKey: text === "{",
        });
        break;
      case "}":
      case "]":
        frames.pop();
        break;
      case ",":
        if (frame !== undefined) {
          frame.index++;
          frame.expectsKey = frame.keys !== undefined;
        }
        break;
      default:
        if (frame?.keys !== undefined && frame.expectsKey) {
          frame.expectsKey = false;
          frame.key = JSON.parse(text) as string;
          if (frame.keys.has(frame.key)) {
            duplicates.add(placeIn(frame));
          }
          frame.keys.add(frame.key);
        }
    }
  }
  return [...duplicates];
}

function placeIn({ path, keys, key, index }: Frame): string {
  if (keys === undefined) {
    return `${path}[${index}]`;
  }
  return path === "" ? key : `${path}.${key}`;
}
