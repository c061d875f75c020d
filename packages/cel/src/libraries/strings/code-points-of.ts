import { isNarrow } from "../../values/code-points.js";

/** The characters of a text, one item for each code point. */
export type CodePoints = string | readonly string[];

/** Returns the characters of a text; the text itself if each of them takes one position. */
export function codePointsOf(text: string): CodePoints {
  return isNarrow(text) ? text : [...text];
}

/** Returns the text of the characters from `start` to before `end`. */
export function sliceOf(points: CodePoints, start: number, end: number): string {
  return typeof points === "string" ? points.slice(start, end) : points.slice(start, end).join("");
}
