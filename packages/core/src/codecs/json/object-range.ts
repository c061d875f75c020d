/** Where an object stands in a buffer. */
export interface ObjectRange {
  readonly start: number;
  readonly end: number;
}
