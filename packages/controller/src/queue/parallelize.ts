import { assertOptions, integerFrom, type OptionTable, object } from "@typekube/core/internal";

/** Options of {@link parallelize}. */
export interface ParallelizeOptions {
  /** Maximum of chunks in progress: an integer of at least 1. */
  readonly concurrency: number;
  /** Number of consecutive pieces that one worker does, one after the other. Default 1. */
  readonly chunkSize?: number | undefined;
  /** Starts no further piece once it aborts. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Names and checks of {@link ParallelizeOptions}. */
const parallelizeOptions: OptionTable<ParallelizeOptions> = {
  chunkSize: integerFrom(1),
  concurrency: integerFrom(1),
  signal: object,
};

/**
 * Does numbered pieces of work, some at the same time. After the first failure it starts no further piece, waits for
 * those in progress, and rejects with that failure. (client-go `workqueue.ParallelizeUntil`, `WithChunkSize`)
 *
 * @param pieces - number of pieces; `work` is called once with each number from 0 to `pieces - 1`.
 * @throws the reason of the signal, after the pieces in progress, if it aborts before the last piece was started.
 * @throws {KubeError} `InvalidArgument` if an option is invalid.
 */
export async function parallelize(
  pieces: number,
  work: (piece: number) => Promise<void> | void,
  options: ParallelizeOptions,
): Promise<void> {
  assertOptions("parallelize()", options, parallelizeOptions);
  const { concurrency, chunkSize = 1, signal } = options;
  let nextPiece = 0;
  let failure: { readonly reason: unknown } | undefined;
  const doChunks = async () => {
    while (nextPiece < pieces) {
      const first = nextPiece;
      nextPiece = Math.min(first + chunkSize, pieces);
      const end = nextPiece;
      for (let piece = first; piece < end; piece++) {
        if (failure !== undefined) {
          return;
        }
        signal?.throwIfAborted();
        await work(piece);
      }
    }
  };
  const workers = Math.min(concurrency, Math.ceil(pieces / chunkSize));
  const doneWorkers = Array.from({ length: workers }, () =>
    doChunks().catch((reason: unknown) => {
      failure ??= { reason };
    }),
  );
  await Promise.all(doneWorkers);
  if (failure !== undefined) {
    throw (failure as { readonly reason: unknown }).reason;
  }
}
