import { randomBytes } from "node:crypto";
import type { OutputFilter, OutputName } from "./output-filter.js";

/** Maximum bytes of the note in front of the output. */
const maxNoteBytes = 4 * 1024;

/**
 * Notes the process, and then becomes the command: its number, and its line in /proc, which has the time of its start,
 * since numbers are used again.
 */
const notingScript = `s=; { read -r s <"/proc/$$/stat"; } 2>/dev/null
printf '%s %s %s\\n' "$1" "$$" "\${s##*) }"`;

/** A process in a container. */
export interface ProcessIdentity {
  readonly pid: string;
  /** Its start in ticks of the node's clock; empty when the container has no /proc. */
  readonly startedAt: string;
}

/** Position of the start among the fields of a line in /proc that follow the name. (proc(5): field 22) */
const startField = 19;

/** A command that notes its process in front of its output. */
export class NotedProcess implements OutputFilter {
  /** The command in its wrapper. */
  readonly command: readonly string[];
  /** Resolves when the note has come, or other output in its place. */
  readonly noted: Promise<void>;
  readonly #output: OutputName;
  readonly #marker: Buffer;
  #kept: Buffer = Buffer.alloc(0);
  #isReading = true;
  #identity: ProcessIdentity | undefined;
  #resolve = () => {};

  /** @param output - the one that has the note. */
  constructor(command: readonly string[], output: OutputName) {
    const marker = `~${randomBytes(12).toString("hex")}`;
    const script = `${notingScript}${output === "stderr" ? " >&2" : ""}\nshift; exec "$@"`;
    this.command = ["sh", "-c", script, "sh", marker, ...command];
    this.#marker = Buffer.from(`${marker} `);
    this.#output = output;
    this.noted = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** The process; `undefined` until the note has come. */
  get identity(): ProcessIdentity | undefined {
    return this.#identity;
  }

  pass(name: OutputName, bytes: Buffer): Buffer {
    if (name !== this.#output || !this.#isReading) {
      return bytes;
    }
    this.#kept = Buffer.concat([this.#kept, bytes]);
    const start = this.#kept.subarray(0, this.#marker.byteLength);
    const isNote = this.#marker.subarray(0, start.byteLength).equals(start);
    const end = this.#kept.indexOf("\n");
    if (isNote && end < 0 && this.#kept.byteLength < maxNoteBytes) {
      return Buffer.alloc(0);
    }
    if (isNote && end >= 0) {
      const [, pid = "", ...fields] = this.#kept.toString("latin1", 0, end).trim().split(" ");
      this.#identity = { pid, startedAt: fields[startField] ?? "" };
      return this.#rest(end + 1);
    }
    return this.#rest(0);
  }

  end(): Readonly<Record<OutputName, Buffer>> {
    return { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), [this.#output]: this.#rest(0) };
  }

  #rest(from: number): Buffer {
    const rest = this.#kept.subarray(from);
    this.#kept = Buffer.alloc(0);
    this.#isReading = false;
    this.#resolve();
    return rest;
  }
}
