import type { OperatorContext } from "@typekube/apiserver/testing";

/** An informer of any kind. */
interface Source {
  onChange(handler: { add(): void; update(): void; delete(): void }): unknown;
  synced(): Promise<void>;
}

type Timed = Pick<OperatorContext, "clock" | "signal">;

/** Options of the informers of plain operators. */
export const inDefault = { namespace: "default", onError: () => {} };

/** Waits for a time of the operator's clock, in milliseconds. */
export function sleep({ clock }: Pick<Timed, "clock">, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.schedule(ms, resolve);
  });
}

/** Waits until the run is over. */
export function untilEnd({ signal }: Pick<Timed, "signal">): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Runs a function again and again, a second apart, until it succeeds. */
export async function untilDone(context: Timed, act: () => Promise<unknown>): Promise<void> {
  while (!context.signal.aborted) {
    try {
      await act();
      return;
    } catch {
      await sleep(context, 1_000);
    }
  }
}

/** Runs a function once everything is cached, and again after changes, one run after the other. */
export async function onEachChange(
  context: Timed,
  sources: readonly Source[],
  reconcile: () => Promise<unknown>,
): Promise<void> {
  let isDue = true;
  let wake = () => {};
  const due = () => {
    isDue = true;
    wake();
  };
  for (const source of sources) {
    source.onChange({ add: due, update: due, delete: due });
  }
  for (const source of sources) {
    await untilDone(context, () => source.synced());
  }
  while (!context.signal.aborted) {
    if (!isDue) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    isDue = false;
    await untilDone(context, reconcile);
  }
}
