/** Share of a storm in which caches, histories and compiled code still grow. */
const warmUp = 1 / 3;
/** Quiet points per sample: a full collection takes longer than many faults. */
const everyNth = 5;
/** Bytes that the heap may grow, because the work in flight differs. */
const slackBytes = 3 * 1024 * 1024;
/** Number of samples at each end; the smallest counts. */
const looksPerEnd = 3;

/** Samples the heap after garbage collection at quiet points; needs `--expose-gc`. */
export class HeapWatch {
  readonly #bytes: number[] = [];

  look(quietPoint: number): void {
    if (globalThis.gc !== undefined && quietPoint % everyNth === 0) {
      globalThis.gc();
      this.#bytes.push(process.memoryUsage().heapUsed);
    }
  }

  /** Returns the bytes at the beginning and at the end; `undefined` when there are too few samples. */
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
