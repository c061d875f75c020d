import type { MemoryFiles } from "../files/memory-files.js";

/** Bytes of an input that a program reads as a whole. */
const maxInputBytes = 64 * 1024 * 1024;

/** Surroundings of a program in a container. */
export interface ProgramIo {
  /** Words after its name. */
  readonly args: readonly string[];
  readonly files: MemoryFiles;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: AsyncIterable<Uint8Array>;
  stdout(data: Uint8Array | string): Promise<void>;
  stderr(data: Uint8Array | string): Promise<void>;
}

/** A program. Returns its exit code. */
export type Program = (io: ProgramIo) => Promise<number>;

/** Error in the command line of a program. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command line, divided. */
export interface Arguments {
  /** Letters of the options that were given. */
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly string[];
}

/**
 * Divides a command line into options of one letter without values, and operands. `--` ends the options.
 *
 * @param known - letters of the options that the program has.
 * @throws {UsageError} for another option.
 */
export function divideArguments(args: readonly string[], known: string): Arguments {
  const flags = new Set<string>();
  const end = args.findIndex((arg) => arg === "--" || arg === "-" || !arg.startsWith("-"));
  const options = end < 0 ? args : args.slice(0, end);
  for (const letter of options.flatMap((option) => [...option.slice(1)])) {
    if (!known.includes(letter)) {
      throw new UsageError(`unrecognized option: ${letter}`);
    }
    flags.add(letter);
  }
  const rest = args.slice(options.length);
  return { flags, operands: rest[0] === "--" ? rest.slice(1) : rest };
}

/**
 * Collects an input.
 *
 * @throws {UsageError} above 64 MiB.
 */
export async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxInputBytes) {
      throw new UsageError(`the input is larger than ${maxInputBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Calls a function with each operand, and prints the error of one that fails.
 *
 * @returns the exit code: 1 when one failed.
 */
export async function withEach(
  { stderr }: ProgramIo,
  program: string,
  operands: readonly string[],
  use: (operand: string) => Promise<void> | void,
): Promise<number> {
  let code = 0;
  for (const operand of operands) {
    try {
      await use(operand);
    } catch (error) {
      code = 1;
      await stderr(`${program}: ${operand}: ${messageOf(error)}\n`);
    }
  }
  return code;
}

/** Returns the content of a file, or the input for `-`. */
export async function readOperand({ files, stdin }: ProgramIo, operand: string): Promise<Buffer> {
  return operand === "-" ? bytesOf(stdin) : Buffer.from(files.read(operand));
}

/** Returns the message of an error, as programs print it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
