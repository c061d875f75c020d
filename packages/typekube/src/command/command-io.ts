import type { Clock } from "@typekube/core/internal";

/** The environment of a command. */
export interface CommandIo {
  /** The folder in which the command was called. */
  readonly folder: string;
  /** Standard input. Default: that of the process. */
  readonly input?: AsyncIterable<string | Uint8Array> | undefined;
  write(text: string): void;
  writeError(text: string): void;
  /** Ends a command that watches. Default: aborted by SIGINT and SIGTERM. */
  readonly signal?: AbortSignal | undefined;
  /** Clock of delays. Default: that of the system. */
  readonly clock?: Clock | undefined;
  /** Finds the file of a module, seen from another file or URL; throws if it is missing. Default: as Node does. */
  readonly resolve?: ((specifier: string, from: string) => string) | undefined;
}
