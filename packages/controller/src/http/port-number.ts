import type { OptionCheck } from "@typekube/core/internal";

/** Accepts port numbers; 0 is a free port. */
export const portNumber: OptionCheck = {
  mustBe: "an integer from 0 to 65535",
  isValid: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
};
