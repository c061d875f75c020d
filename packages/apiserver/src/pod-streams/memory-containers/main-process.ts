import type { ContainerLog } from "./container-log.js";
import type { ProgramIo } from "./programs/program.js";

const newline = 0x0a;
/** Bytes after which a line is split. (containerd) */
const maxLineBytes = 16 * 1024;

type Output = Pick<ProgramIo, "stderr" | "stdout">;

/** The main process of a container: a program whose output goes to the log, and to every session that is attached. */
export class MainProcess {
  readonly #log: ContainerLog;
  readonly #attached = new Set<Output>();
  readonly #rest: Record<"stderr" | "stdout", Buffer> = {
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
  };
  #exit: Promise<number> | undefined;

  constructor(log: ContainerLog) {
    this.#log = log;
  }

  /** Starts it, unless it runs or has ended. */
  start(run: (output: Output) => Promise<number>): void {
    this.#exit ??= this.#run(run);
  }

  /** Starts it as {@link start} does. Resolves to its exit code; output from now on goes to `output`, too. */
  async attach(output: Output, run: (output: Output) => Promise<number>): Promise<number> {
    this.#attached.add(output);
    try {
      this.start(run);
      return (await this.#exit) ?? 0;
    } finally {
      this.#attached.delete(output);
    }
  }

  async #run(run: (output: Output) => Promise<number>): Promise<number> {
    try {
      return await run({
        stdout: (data) => this.#write("stdout", data),
        stderr: (data) => this.#write("stderr", data),
      });
    } catch (error) {
      this.#log.append(error instanceof Error ? error.message : String(error));
      return 128;
    } finally {
      for (const rest of Object.values(this.#rest).filter(({ byteLength }) => byteLength > 0)) {
        this.#log.append(rest.toString(), true);
      }
    }
  }

  async #write(stream: "stderr" | "stdout", data: Uint8Array | string): Promise<void> {
    const bytes = Buffer.from(data as Uint8Array);
    let text = Buffer.concat([this.#rest[stream], bytes]);
    for (let end = text.indexOf(newline); end >= 0; end = text.indexOf(newline)) {
      this.#log.append(this.#appendParts(text.subarray(0, end)).toString());
      text = text.subarray(end + 1);
    }
    this.#rest[stream] = this.#appendParts(text);
    // A session that is lost must not stop the process.
    const sent = [...this.#attached].map((output) =>
      output[stream](bytes).catch(() => this.#attached.delete(output)),
    );
    await Promise.all(sent);
  }

  /** Appends the parts of a long line, except for the last one, which is returned. */
  #appendParts(line: Buffer): Buffer {
    let rest = line;
    while (rest.byteLength > maxLineBytes) {
      const end = beforeCharacter(rest, maxLineBytes);
      this.#log.append(rest.toString("utf8", 0, end), true);
      rest = rest.subarray(end);
    }
    return rest;
  }
}

/** Returns the beginning of the UTF-8 character at an index. */
function beforeCharacter(bytes: Buffer, index: number): number {
  const isWithin = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  return [index, index - 1, index - 2, index - 3].find((at) => !isWithin(at)) ?? index;
}
