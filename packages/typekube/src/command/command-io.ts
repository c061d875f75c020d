/** The environment of a command. */
export interface CommandIo {
  /** The folder in which the command was called. */
  readonly folder: string;
  /** Standard input. Default: that of the process. */
  readonly input?: AsyncIterable<string | Uint8Array> | undefined;
  write(text: string): void;
  writeError(text: string): void;
}
