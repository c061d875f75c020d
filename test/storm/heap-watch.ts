/** The share of a storm until caches, histories and compiled code have their size. */
const warmUp = 1 / 3;
/** Quiet points between two looks: a collection of everything takes longer than many faults. */
const everyNth = 5;
/** Bytes that a heap may be larger than it was: what is in flight differs. */
const slackBytes = 3 * 1024 * 1024;
/** The smallest of so many looks counts, at the beginning and at the end. */
const looksPerEnd = 3;

/** The heap after garbage collection at quiet points; needs `--expose-gc`. */
export class HeapWatch {
  readonly #bytes: number[] = [];

  look(quietPoint: number): void {
    if (globalThis.gc !== undefined && quietPoint % everyNth === 0) {
      globalThis.gc();
      this.#bytes.push(process.memoryUsage().heapUsed);
    }
  }

  /** Bytes at the beginning and at the end; `undefined` where it was too short to say. */
  figures(): { readonly first: number; readonly last: number } | undefined {
    const warm = this.#bytes.slice(Math.ceil(this.#bytes.length * warmUp));
    return warm.length < 2 * looksPerEnd
      ? undefined
      : {
          first: Math.min(...warm.slice(0, looksPerEnd)),
          last: Math.min(...warm.slice(-looksPerEnd)),
        };
  }

  problem(): string | undefined {
    const figures = this.figures();
    return figures !== undefined && figures.last > figures.first + slackBytes
      ? `the heap grew from ${figures.first} to ${figures.last} bytes`
      : undefined;
  }
}
