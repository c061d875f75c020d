import { close, constants, open, read } from "node:fs";

/** Files that are read at the same time: each takes several calls of the system, one after the other. */
const filesAtOnce = 8;

/** Flags for a file that may be a link by now: it is not followed. Windows has no such flag. */
export const readFlags: number =
  constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NOFOLLOW ?? 0);

/** Reads small files ahead of the reader, who takes them in their order. */
export class ReadAhead {
  readonly #files: { readonly path: string; readonly size: number }[] = [];
  readonly #reading = new Map<number, Promise<Buffer>>();

  /** Adds a file to be read later. Returns its number. */
  add(path: string, size: number): number {
    return this.#files.push({ path, size }) - 1;
  }

  /** Returns at most the bytes that the file had when it was added. */
  async take(number: number): Promise<Buffer> {
    this.#start(number, number + filesAtOnce);
    const bytes = await this.#reading.get(number);
    this.#reading.delete(number);
    return bytes ?? Buffer.alloc(0);
  }

  #start(from: number, to: number): void {
    for (const [index, { path, size }] of this.#files.slice(from, to).entries()) {
      const number = from + index;
      if (!this.#reading.has(number)) {
        const reading = readBeginning(path, size);
        // Reported when it is taken.
        reading.catch(() => {});
        this.#reading.set(number, reading);
      }
    }
  }
}

/** Reads with callbacks: those of promises take twice the CPU, which is most of what a small file costs. */
function readBeginning(path: string, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    open(path, readFlags, (problem, file) => {
      if (problem !== null) {
        reject(problem);
        return;
      }
      const bytes = Buffer.allocUnsafe(size);
      const finish = (error: Error | null, filled: number) =>
        close(file, (closing) => {
          const failure = error ?? closing;
          if (failure) {
            reject(failure);
          } else {
            resolve(bytes.subarray(0, filled));
          }
        });
      const readFrom = (filled: number) => {
        if (filled === size) {
          finish(null, filled);
          return;
        }
        read(file, bytes, filled, size - filled, null, (error, count) => {
          if (error !== null || count === 0) {
            finish(error, filled);
          } else {
            readFrom(filled + count);
          }
        });
      };
      readFrom(0);
    });
  });
}
