import { KubeError } from "../errors/kube-error.js";

/** Longest path in characters. Annotations, the longest keys, have at most 317. */
const maxPathLength = 10_000;
/** Most steps of a path. No kind nests deeper, but definitions of schemas may. */
const maxPathSteps = 200;
/** A step in quotes, with the escapes of JSON, or a name up to the next dot or bracket. */
const step = /\["((?:[^"\\]|\\.)*)"\]|(\.?)([^.[\]"]+)/y;

/**
 * Reads a path of names: `spec.containers.image`, `metadata.annotations["example.com/owner"]`. A list needs no step:
 * the rest of the path applies to each of its items.
 *
 * @returns the names in order.
 * @throws {KubeError} `InvalidArgument` for a text that is not such a path.
 */
export function readPath(path: string): readonly string[] {
  if (typeof path !== "string" || path === "") {
    throw new KubeError("InvalidArgument", "a path of `fields` must be a text that is not empty", {
      hint: 'name a field, for example "metadata.labels"',
    });
  }
  if (path.length > maxPathLength) {
    throw new KubeError(
      "InvalidArgument",
      `a path of \`fields\` has ${path.length} characters; the limit is ${maxPathLength}`,
    );
  }
  const names: string[] = [];
  for (step.lastIndex = 0; step.lastIndex < path.length; ) {
    const at = step.lastIndex;
    const match = step.exec(path);
    const [, quoted, dot, name] = match ?? [];
    // A dot separates two names, so it stands before each but the first.
    if (match === null || (name !== undefined && (dot === ".") === (at === 0))) {
      throw notAPath(path, at);
    }
    const key = name ?? unescaped(quoted as string);
    if (key === undefined) {
      throw notAPath(path, at);
    }
    names.push(key);
  }
  if (names.length > maxPathSteps) {
    throw new KubeError(
      "InvalidArgument",
      `a path of \`fields\` has ${names.length} steps; the limit is ${maxPathSteps}`,
    );
  }
  return names;
}

/** The characters after a backslash in a key, and what each means, as in JSON and in the type of a path. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["/", "/"],
  ["\\", "\\"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Returns a key without its escapes; `undefined` for an escape that JSON does not have. */
function unescaped(text: string): string | undefined {
  let isKnown = true;
  const key = text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex?: string, short = "") => {
    const character =
      hex === undefined ? escapes.get(short) : String.fromCharCode(Number.parseInt(hex, 16));
    isKnown &&= character !== undefined;
    return character ?? "";
  });
  return isKnown ? key : undefined;
}

function notAPath(path: string, at: number): KubeError {
  return new KubeError("InvalidArgument", `"${path}" is not a path: see character ${at + 1}`, {
    hint: 'write names with dots between them, and other keys in quotes: metadata.annotations["example.com/owner"]; lists need no index',
  });
}
