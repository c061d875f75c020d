/** The environment of a command. */
export interface CommandIo {
  /** The folder in which the command was called. */
  readonly folder: string;
  /** Standard input. Default: that of the process. */
  readonly input?: AsyncIterable<string | Uint8Array> | undefined;
  write(text: string): void;
  writeError(text: string): void;
  /** Finds the file of a module, seen from another file or URL; throws if it is missing. Default: as Node does. */
  readonly resolve?: ((specifier: string, from: string) => string) | undefined;
}
