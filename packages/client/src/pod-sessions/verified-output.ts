import { randomBytes } from "node:crypto";
import { KubeError } from "@typekube/core";
import { markerStart } from "./marker-start.js";
import type { OutputFilter, OutputName } from "./output-filter.js";

/** Maximum bytes of the counts at the end of stderr. */
const maxCountsBytes = 1024;

/**
 * Runs a command with each output through `tee` to `wc`, and then writes the counts to stderr between two markers. The
 * outputs stay apart, and no file is needed: `tee` opens the pipe to `wc`. The descriptors: 3 and 4 are the real
 * outputs, 5 collects the counts, 6 is the command's stderr, 7 the pipe to `wc`.
 */
const countingScript = `m=$1; shift
for p in tee wc; do
command -v "$p" >/dev/null 2>&1 || { printf '%s no %s %s' "$m" "$p" "$m" >&2; exit 127; }
done
f=/dev/fd; [ -d "$f" ] || f=/proc/self/fd
exec 3>&1 4>&2
c=$({ {
{ (exec "$@" 2>&6 3>&- 4>&- 5>&- 6>&-); echo "code $?." >&5; } 2>/dev/null |
{ n=$({ tee "$f/7" >&3; } 7>&1 | wc -c); echo "stdout $n." >&5; }
} 6>&1 | { n=$({ tee "$f/7" >&4; } 7>&1 | wc -c); echo "stderr $n." >&5; }
} 5>&1)
printf '%s %s %s' "$m" "$c" "$m" >&4
c=\${c#*code }; exit "\${c%%.*}"`;

/** A command whose output is counted in the container. */
export interface VerifiedOutput {
  readonly command: readonly string[];
  readonly filter: OutputFilter;
}

/** Wraps a command so that a server or proxy that drops the end of its output is noticed. */
export function verifyOutput(command: readonly string[]): VerifiedOutput {
  const marker = `~${randomBytes(12).toString("hex")}`;
  return {
    command: ["sh", "-c", countingScript, "sh", marker, ...command],
    filter: new CountingFilter(Buffer.from(marker)),
  };
}

/** Counts what comes, and compares it with the counts at the end of stderr. */
class CountingFilter implements OutputFilter {
  readonly #marker: Buffer;
  readonly #received = { stdout: 0, stderr: 0 };
  /** Bytes of stderr from the marker on, or from what may be its start. */
  #kept: Buffer = Buffer.alloc(0);

  constructor(marker: Buffer) {
    this.#marker = marker;
  }

  pass(name: OutputName, bytes: Buffer): Buffer {
    if (name === "stdout") {
      this.#received.stdout += bytes.byteLength;
      return bytes;
    }
    const all = this.#kept.byteLength === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
    const at = markerStart(all, this.#marker);
    this.#kept = all.subarray(at, at + maxCountsBytes);
    this.#received.stderr += at;
    return all.subarray(0, at);
  }

  end(exitCode: number): Readonly<Record<OutputName, Buffer>> {
    const marker = this.#marker.toString();
    const [before, counts, after] = this.#kept.toString("latin1").split(marker);
    if (before !== "" || counts === undefined || after === undefined) {
      throw new KubeError(
        "Decode",
        `the output was cut off: its end, which states how many bytes there are, did not come (exit code ${exitCode})`,
      );
    }
    const missing = /^ no (\w+) $/.exec(counts)?.[1];
    if (missing !== undefined) {
      throw new KubeError("CommandFailed", `verifyOutput: the container has no ${missing}`);
    }
    this.#compare(counts);
    return { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  }

  #compare(counts: string): void {
    const problems = (["stdout", "stderr"] as const).flatMap((name) => {
      const written = Number(new RegExp(`${name} +(\\d+)\\.`).exec(counts)?.[1]);
      const received = this.#received[name];
      if (Number.isNaN(written) || written < received) {
        throw new KubeError(
          "CommandFailed",
          `verifyOutput: the container did not count the bytes of ${name}: ${counts.trim().slice(0, 200)}`,
          { hint: "tee needs /dev/fd or /proc there" },
        );
      }
      const missing = written - received;
      return missing === 0 ? [] : [`${missing} of ${written} bytes of ${name} are missing`];
    });
    if (problems.length > 0) {
      throw new KubeError("Decode", `the output was cut off: ${problems.join(", ")}`);
    }
  }
}
