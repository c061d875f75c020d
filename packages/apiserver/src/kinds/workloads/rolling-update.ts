import { isJsonObject, type JsonObject } from "../../objects/json-value.js";

/** Returns whether a number or percentage is zero; an invalid percentage counts as zero. */
export function isZero(value: unknown): boolean {
  return typeof value === "string"
    ? !/^[0-9]+%$/.test(value) || Number.parseInt(value, 10) === 0
    : value === 0;
}

/** Formats the parameters of a rolling update like Go. */
export function shownRollingUpdate(rollingUpdate: unknown): JsonObject | null {
  if (!isJsonObject(rollingUpdate)) {
    return null;
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  return { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge };
}
