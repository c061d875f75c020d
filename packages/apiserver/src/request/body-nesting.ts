import type { DecodeOptions } from "@typekube/core/internal";
import { badRequest, type StatusError } from "../errors/status-errors.js";

/**
 * Maximum nesting of objects and lists in a request body, and in the result of a JSON patch. Real servers accept
 * {@link realNesting} levels; here recursive functions traverse values, for which the stack is too small.
 */
export const maxNesting: number = 2_000;

/** Maximum nesting of a body on real servers (encoding/json, 1.37.1). */
const realNesting = 10_000;

const tooNested = `the body nests deeper than ${maxNesting} levels, the maximum of the embedded server (${realNesting} on real servers)`;

/** The same for a body in YAML, whose parser needs more of the stack for each level. */
const maxYamlNesting = 1_000;

/** Options with which the codecs of JSON, protobuf and CBOR read bodies. */
export const bodyDecoding: DecodeOptions = { limits: { maxDepth: maxNesting } };

/** Options with which bodies in YAML are read. */
export const yamlBodyDecoding: DecodeOptions = { limits: { maxDepth: maxYamlNesting } };

/** A body that nests too deep. */
export interface NestingProblem {
  /** Message of a real server's JSON parser where it rejects the body too, otherwise our own. */
  readonly message: string;
  /** `true` when real servers reject the body too. */
  readonly isReal: boolean;
}

/** Returns the problem of a JSON text that nests too deep. The text need not be valid otherwise. */
export function nestingProblem(json: string): NestingProblem | undefined {
  // Each level takes at least two characters.
  if (json.length <= 2 * maxNesting) {
    return undefined;
  }
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"':
        at = stringEnd(json, at);
        break;
      case "{":
      case "[":
        depth++;
        if (depth > realNesting) {
          return { message: `invalid character '${json[at]}' exceeded max depth`, isReal: true };
        }
        deepest = Math.max(deepest, depth);
        break;
      case "}":
      case "]":
        depth--;
        break;
      default: // white space, colons, commas, numbers and literals
    }
  }
  return deepest > maxNesting ? { message: tooNested, isReal: false } : undefined;
}

/** Returns the position of the closing quote of a string. */
function stringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    if (!isEscaped(json, at)) {
      return at;
    }
  }
  return json.length;
}

/** Returns true if an odd number of backslashes stands before a place. */
function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json[before] === "\\") {
    before--;
  }
  return (at - before) % 2 === 0;
}

/** Returns the error for a request whose values overflowed the stack all the same, as where the stack is small. */
export function overflowed(): StatusError {
  return badRequest(
    `the request nests values too deep for this process: the embedded server accepts up to ${maxNesting} levels where the stack is large enough`,
  );
}
