import { type DiagnosticsEvents, diagnostics } from "@typekube/core/internal";

/** Listeners for some of the channels, by channel name. */
export type Listeners = {
  readonly [Name in keyof DiagnosticsEvents]?: (event: DiagnosticsEvents[Name]) => void;
};

/** Subscribes to each channel. Returns a function that removes all subscriptions. */
export function subscribe(listeners: Listeners): () => void {
  const all = Object.entries(listeners) as [
    keyof DiagnosticsEvents,
    (event: unknown, name: string | symbol) => void,
  ][];
  for (const [name, listener] of all) {
    diagnostics(name).subscribe(listener);
  }
  return () => {
    for (const [name, listener] of all) {
      diagnostics(name).unsubscribe(listener);
    }
  };
}
