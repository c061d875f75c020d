/** The environment of a command. */
export interface CommandIo {
  /** The folder in which the command was called. */
  readonly folder: string;
  write(text: string): void;
  writeError(text: string): void;
}
