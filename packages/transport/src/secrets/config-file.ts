import { constants, type Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { type Clock, systemClock } from "@typekube/core/internal";

/** Limits for one file of a configuration. */
export const configFileLimits: {
  /** Bytes. The certificate authorities of a whole Linux distribution take 220 KB. */
  readonly maxBytes: number;
  /** Milliseconds. A network file system that does not respond must not hold a call. */
  readonly timeoutMs: number;
} = { maxBytes: 4 * 1024 * 1024, timeoutMs: 30_000 };

/** The reason why we refuse to read a file that the operating system itself would read. */
export class ConfigFileProblem extends Error {
  override readonly name = "ConfigFileProblem";
}

/** Options of {@link readConfigFile}. */
export interface ConfigFileOptions {
  /** Default {@link configFileLimits}. */
  readonly maxBytes?: number | undefined;
  /** Default {@link configFileLimits}. */
  readonly timeoutMs?: number | undefined;
  /** `true` allows pipes, which a shell passes for `<(command)`. Default false. */
  readonly allowsPipes?: boolean | undefined;
  /** Clock for the timeout. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/**
 * Reads a small text file in the encoding of its byte order mark, else as UTF-8. Only regular files are read: a pipe
 * would block a Node thread until its writer closes it, and a device may never end.
 *
 * @throws {ConfigFileProblem} for anything but a regular file, for a file over the limit, and after the timeout;
 * otherwise the system's error.
 */
export async function readConfigFile(
  path: string,
  options: ConfigFileOptions = {},
): Promise<string> {
  const { timeoutMs = configFileLimits.timeoutMs, clock = systemClock } = options;
  const bytes = read(path, options);
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(
      timeoutMs,
      () => reject(new ConfigFileProblem(`reading the file took longer than ${timeoutMs} ms`)),
      true,
    );
    bytes.then((all) => resolve(decodeText(all)), reject).finally(cancel);
  });
}

/** Returns the reason of a {@link readConfigFile} error, without the path: `EACCES`, `the path names a pipe, ...`. */
export function fileProblemOf(error: unknown): string {
  if (error instanceof ConfigFileProblem) {
    return error.message;
  }
  return (error as NodeJS.ErrnoException | undefined)?.code ?? "unknown error";
}

/** Characters of the longest plausible path. */
const maxPathLength = 1_024;

/** Returns true when a text can be a path: one line, at most 1,024 characters, without `: `, and not JSON. */
export function isPlausiblePath(text: string): boolean {
  return text.length <= maxPathLength && !/[\r\n\0]|: |^\s*[{[]/.test(text);
}

/** Returns a path for messages. Content in place of a path, such as a token or a kubeconfig, is never shown. */
export function shownPath(path: string): string {
  return isPlausiblePath(path) ? path : `[a text of ${path.length} characters, not a path]`;
}

async function read(path: string, options: ConfigFileOptions): Promise<Buffer> {
  const { maxBytes = configFileLimits.maxBytes, allowsPipes = false } = options;
  const check = (stats: Stats) => {
    if (!stats.isFile() && !(allowsPipes && stats.isFIFO())) {
      throw new ConfigFileProblem(`the path names ${kindOf(stats)}, not a regular file`);
    }
    if (stats.size > maxBytes) {
      throw new ConfigFileProblem(`the file is larger than ${maxBytes} bytes`);
    }
  };
  // Checked before opening: on some devices opening alone has effects.
  const found = await stat(path);
  check(found);
  // A pipe may have replaced the file since; without this flag, opening it would wait for a writer. Windows has no such
  // flag.
  const flags = constants.O_RDONLY | (found.isFIFO() ? 0 : (constants.O_NONBLOCK ?? 0));
  const file = await open(path, flags);
  try {
    check(await file.stat());
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024);
      if (bytesRead === 0) {
        return Buffer.concat(chunks);
      }
      length += bytesRead;
      if (length > maxBytes) {
        throw new ConfigFileProblem(`the file is larger than ${maxBytes} bytes`);
      }
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) {
    return "a pipe";
  }
  if (stats.isDirectory()) {
    return "a folder";
  }
  return stats.isSocket() ? "a socket" : "a device";
}

/** Decodes text by its byte order mark: `kubectl config view > config` in PowerShell writes UTF-16. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : "utf-8";
  // The decoder removes the byte order mark.
  return new TextDecoder(encoding).decode(bytes);
}
