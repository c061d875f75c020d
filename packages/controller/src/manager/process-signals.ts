import type { Log } from "../log/log.js";

const names = ["SIGINT", "SIGTERM"] as const;

/**
 * Stops with the first SIGTERM or SIGINT, and exits with the second. (controller-runtime's SetupSignalHandler)
 *
 * @returns a function that removes the handlers.
 */
export function handleProcessSignals(log: Log, stop: () => void): () => void {
  let isStopping = false;
  const onSignal = (name: string) => {
    if (isStopping) {
      log.warn(`${name} again: exits at once`);
      process.exit(1);
    }
    isStopping = true;
    log.info(`${name}: stops`);
    stop();
  };
  for (const name of names) {
    process.on(name, onSignal);
  }
  return () => {
    for (const name of names) {
      process.off(name, onSignal);
    }
  };
}
