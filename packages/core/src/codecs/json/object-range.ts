/** Range of an object in a buffer. */
export interface ObjectRange {
  readonly start: number;
  readonly end: number;
}
