import type { Encoding, SelectorOptions } from "@typekube/client";
import type { View } from "@typekube/client/internal";
import {
  formatFieldSelector,
  formatLabelSelector,
  KubeError,
  parseFieldSelector,
  parseLabelSelector,
} from "@typekube/core";
import { assertKnownOptions } from "@typekube/core/internal";
import { defaultBackoff } from "../backoff/backoff.js";
import { assertIndexFunction } from "../store/index-table.js";
import { minPollMs } from "../watcher/watcher-options.js";

const callbacks = [
  "onError",
  "onProgress",
  "onRestart",
  "onState",
  "precondition",
  "random",
  "transform",
];

/** Options that take a number of at least 0. For most of them `Number.POSITIVE_INFINITY` means never. */
const amounts = [
  "failAfterMs",
  "idleMs",
  "initialEventsDeadlineMs",
  "internalErrorWindowMs",
  "maxBufferedEvents",
  "maxBufferedObjects",
  "mutationTtlMs",
];

const words: Readonly<Record<string, readonly string[]>> = {
  encoding: ["auto", "cbor", "json", "protobuf", "yaml"] satisfies Encoding[],
  view: ["full", "metadata"] satisfies View[],
};

const ofBackoff = Object.keys(defaultBackoff);

/**
 * Rejects option values that a watcher can't use. They would not fail at once but misbehave for its whole life: a NaN
 * delay is no delay, and the server rejects every watch with a NaN timeout.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertOptionValues(options: object): void {
  const given = options as Readonly<Record<string, unknown>>;
  const { backoff, minWatchMs, pageSize } = given;
  for (const name of callbacks) {
    assertFunction(name, given[name]);
  }
  for (const name of amounts) {
    assertAmount(name, given[name]);
  }
  assertKnownOptions("backoff", backoff ?? {}, defaultBackoff);
  for (const name of ofBackoff) {
    assertAmount(`backoff.${name}`, (backoff as typeof given | undefined)?.[name]);
  }
  for (const [name, all] of Object.entries(words)) {
    assertWord(name, given[name], all);
  }
  for (const [name, valuesOf] of Object.entries(given["indexes"] ?? {})) {
    assertIndexFunction(`indexes.${name}`, valuesOf);
  }
  assertSelectors(options);
  assertPoll(given["poll"]);
  assertAmount("minWatchMs", minWatchMs, Number.isFinite);
  assertAmount("pageSize", pageSize, Number.isInteger);
}

function assertPoll(poll: unknown): void {
  if (poll === undefined) {
    return;
  }
  const { everyMs } = (poll ?? {}) as { readonly everyMs?: unknown };
  if (typeof everyMs !== "number" || !(everyMs >= minPollMs)) {
    throw new KubeError(
      "InvalidArgument",
      `poll: must be { everyMs } with a number of at least ${minPollMs}, in milliseconds`,
    );
  }
}

/**
 * @throws {KubeError} `InvalidArgument` for a defined value that is not a number of at least 0, or that `isUsable`
 * rejects.
 */
export function assertAmount(
  name: string,
  value: unknown,
  isUsable: (value: number) => boolean = () => true,
): void {
  if (value === undefined || (typeof value === "number" && value >= 0 && isUsable(value))) {
    return;
  }
  const what = isUsable === Number.isInteger ? "an integer" : "a number";
  throw new KubeError("InvalidArgument", `${name}: must be ${what} of at least 0`);
}

function assertWord(name: string, value: unknown, all: readonly string[]): void {
  if (value !== undefined && !all.some((word) => word === value)) {
    throw new KubeError("InvalidArgument", `${name}: must be ${all.join(" or ")}`);
  }
}

function assertSelectors({ labelSelector, fieldSelector }: SelectorOptions): void {
  if (labelSelector !== undefined) {
    parseLabelSelector(formatLabelSelector(labelSelector));
  }
  if (fieldSelector !== undefined) {
    parseFieldSelector(formatFieldSelector(fieldSelector));
  }
}

/** @throws {KubeError} `InvalidArgument` for a defined value that is not a function. */
export function assertFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function") {
    throw new KubeError("InvalidArgument", `${name}: must be a function`);
  }
}
