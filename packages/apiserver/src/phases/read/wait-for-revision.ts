import type { ServerContext } from "../../context/server-context.js";
import { resourceVersionTooLarge } from "../../errors/status-errors.js";

/** Milliseconds that a server waits for a resourceVersion that it has not reached (apiserver `cacher.blockTimeout`). */
const patienceMs = 3_000;

/** Waits until the store reaches a revision; rejects with 504 after the timeout. */
export async function waitForRevision(
  { store, clock, closing, work }: Pick<ServerContext, "clock" | "closing" | "store" | "work">,
  revision: bigint,
  signal: AbortSignal,
): Promise<void> {
  if (store.revision >= revision) {
    return;
  }
  const reached = new Promise<void>((resolve, reject) => {
    const finish = (settle: () => void) => {
      cancel();
      unlisten();
      signal.removeEventListener("abort", onAbort);
      closing.removeEventListener("abort", onClose);
      settle();
    };
    const onAbort = () => finish(() => reject(signal.reason));
    const onClose = () => finish(() => reject(closing.reason));
    const cancel = clock.schedule(patienceMs, () =>
      finish(() => reject(resourceVersionTooLarge(revision, store.revision))),
    );
    const unlisten = store.onCommit(() => {
      if (store.revision >= revision) {
        finish(resolve);
      }
    });
    signal.addEventListener("abort", onAbort, { once: true });
    closing.addEventListener("abort", onClose, { once: true });
  });
  await work.aside(reached);
}
