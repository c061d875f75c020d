/** Quiet points until caches, histories and compiled code have their size. */
const warmUp = 10;
/** Quiet points between two looks: a collection of everything takes longer than many faults. */
const everyNth = 10;
/** Bytes that a heap may be larger than it was: what is in flight differs. */
const slackBytes = 4 * 1024 * 1024;
/** The smallest of so many looks counts, at the beginning and at the end. */
const looksPerEnd = 3;

/** The heap after garbage collection at quiet points; needs `--expose-gc`. */
export class HeapWatch {
  readonly #bytes: number[] = [];

  look(quietPoint: number): void {
    if (globalThis.gc !== undefined && quietPoint > warmUp && quietPoint % everyNth === 0) {
      globalThis.gc();
      this.#bytes.push(process.memoryUsage().heapUsed);
    }
  }

  /** Bytes at the beginning and at the end; `undefined` where it was too short to say. */
  figures(): { readonly first: number; readonly last: number } | undefined {
    return this.#bytes.length < 2 * looksPerEnd
      ? undefined
      : {
          first: Math.min(...this.#bytes.slice(0, looksPerEnd)),
          last: Math.min(...this.#bytes.slice(-looksPerEnd)),
        };
  }

  problem(): string | undefined {
    const figures = this.figures();
    return figures !== undefined && figures.last > figures.first + slackBytes
      ? `the heap grew from ${figures.first} to ${figures.last} bytes`
      : undefined;
  }
}
