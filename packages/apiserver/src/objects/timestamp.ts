import type { Clock } from "@typekube/core/internal";

/** The most recently formatted second: many objects are created within the same one. */
let written = { second: Number.NaN, text: "" };

/** Returns the current time in API format. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1_000);
  if (second !== written.second) {
    const text = new Date(second * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
    written = { second, text };
  }
  return written.text;
}
