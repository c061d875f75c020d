import { KubeError } from "../../kube-error.js";
import type { Limits } from "../../limits.js";

/** What is wrong with a YAML text and where. Whoever reads one makes an error of it that names what was read, as {@link yamlError}. */
export class YamlProblem extends Error {
  /** Where in the text, in UTF-16 units. */
  readonly offset: number;
  /** The limit that was reached, if one was. */
  readonly limit: keyof Limits | undefined;

  constructor(reason: string, offset: number, limit?: keyof Limits) {
    super(reason);
    this.offset = offset;
    this.limit = limit;
  }
}

/** Which document of a stream a text is. */
export interface DocumentPlace {
  /** Its place among the documents, from 1. */
  readonly document: number;
  /** The line of the stream that its text begins in, from 1. */
  readonly line: number;
}

/** The place of a text that is all there is. */
export const onlyDocument: DocumentPlace = { document: 1, line: 1 };

/**
 * The error for a problem in a text: says which document, line and column, and shows nothing of the text, which may be
 * of a Secret. For that reason the parser's own error, which quotes it, is not its cause.
 *
 * @param what - what is being read: `the body`, `the manifest`.
 * @param code - of problems that are no limit's.
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
      hint: `raise limits.${problem.limit} if it is right to be so`,
    });
  }
  return new KubeError(code, `${what} is not YAML: ${problem.message} ${where}`);
}

/** Line and column of an offset, both from 1; a line ends where an editor ends it. */
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
