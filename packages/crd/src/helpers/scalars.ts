import { int, string, union, type ZodInt, type ZodString, type ZodUnion } from "zod";

const quantityPattern =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;
const durationPattern = /^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$/;

/** Options of `intOrString`. */
export interface IntOrStringOptions {
  /** Pattern of the string: `/^[0-9]+%$/` for percentages. Default: any string. */
  readonly pattern?: RegExp | undefined;
}

/** Defines an integer or a string, such as a port by number or name. */
export function intOrString({ pattern }: IntOrStringOptions = {}): ZodUnion<[ZodInt, ZodString]> {
  return union([int(), pattern === undefined ? string() : string().regex(pattern)]);
}

/** Defines a quantity, such as `500m` or `2Gi`. Use `parseQuantity` to compute with it. */
export function quantity(): ZodUnion<[ZodInt, ZodString]> {
  return union([int(), string().regex(quantityPattern)]);
}

/** Defines a duration in the form of Go: `1h30m`, `250ms`. Rules in CEL read it as a duration. */
export function goDuration(): ZodString {
  return string().regex(durationPattern).meta({ format: "duration" });
}
