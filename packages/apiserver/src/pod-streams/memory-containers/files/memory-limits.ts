import { integerFrom, type OptionTable } from "@typekube/core/internal";

/** Limits of containers in memory. */
export interface MemoryLimits {
  /** Files, directories and links of one container. Default 10,000. */
  readonly maxFiles?: number | undefined;
  /** Bytes of all files of one container. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Lines of one log; the oldest are dropped. Default 10,000. */
  readonly maxLogLines?: number | undefined;
  /** Containers that keep their files and log; the one unused for the longest time is emptied. Default 1,000. */
  readonly maxContainers?: number | undefined;
}

/** Defaults of {@link MemoryLimits}. */
export const defaultMemoryLimits: { readonly [Name in keyof MemoryLimits]-?: number } = {
  maxFiles: 10_000,
  maxBytes: 64 * 1024 * 1024,
  maxLogLines: 10_000,
  maxContainers: 1_000,
};

/** Names and checks of {@link MemoryLimits}. */
export const memoryLimits: OptionTable<MemoryLimits> = {
  maxFiles: integerFrom(1),
  maxBytes: integerFrom(1),
  maxLogLines: integerFrom(1),
  maxContainers: integerFrom(1),
};
