import { KubeError } from "../../errors/kube-error.js";
import type { Limits } from "../../options/limits.js";

/**
 * A problem in a YAML text, with its position. Callers turn it into an error that names the text, for example with
 * {@link yamlError}.
 */
export class YamlProblem extends Error {
  /** Position in the text, in UTF-16 code units. */
  readonly offset: number;
  /** Limit that was exceeded; `undefined` for other problems. */
  readonly limit: keyof Limits | undefined;

  constructor(reason: string, offset: number, limit?: keyof Limits) {
    super(reason);
    this.offset = offset;
    this.limit = limit;
  }
}

/** Place of a document in a stream. */
export interface DocumentPlace {
  /** Number of the document, from 1. */
  readonly document: number;
  /** Line of the stream in which the text begins, from 1. */
  readonly line: number;
}

/** Place of a text that is the only document. */
export const onlyDocument: DocumentPlace = { document: 1, line: 1 };

/**
 * Returns the error for a problem in a text. States the document, line and column but nothing of the text, which may
 * come from a Secret. For the same reason its cause is not the parser's error, which quotes the text.
 *
 * @param what - name of the text: `the body`, `the manifest`.
 * @param code - code of problems that do not concern a limit.
 */
export function yamlError(
  problem: YamlProblem,
  what: string,
  code: "Decode" | "InvalidArgument",
  text: string,
  place: DocumentPlace,
): KubeError {
  const { line, column } = positionOf(text, problem.offset, place);
  const where = `(document ${place.document}, line ${line}, column ${column})`;
  if (problem.limit !== undefined) {
    return new KubeError("TooLarge", `${what} ${problem.message} ${where}`, {
      hint: `raise limits.${problem.limit} if you expect such documents`,
    });
  }
  return new KubeError(code, `${what} is not YAML: ${problem.message} ${where}`);
}

/** Returns the line and column of an offset, both from 1. Lines end as in an editor. */
export function positionOf(
  text: string,
  offset: number,
  place: DocumentPlace,
): { line: number; column: number } {
  const at = Math.min(offset, text.length);
  let { line } = place;
  let lineStart = 0;
  for (const { index, 0: lineBreak } of text.slice(0, at).matchAll(/\r\n|\n|\r/g)) {
    line += 1;
    lineStart = index + lineBreak.length;
  }
  return { line, column: at - lineStart + 1 };
}
