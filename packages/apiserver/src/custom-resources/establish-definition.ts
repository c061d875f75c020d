import { withCondition, writeStatus } from "./definition-status.js";
import type { FollowedDefinitions } from "./followed-definitions.js";

/** Establishes a definition after the configured delay. */
export function establishLater(definitions: FollowedDefinitions, name: string): void {
  const { server, options, waiting } = definitions;
  const { establishDelayMs = 0 } = options;
  if (establishDelayMs <= 0) {
    establish(definitions, name);
  } else if (!waiting.has(name)) {
    const cancel = server.clock.schedule(establishDelayMs, () => {
      waiting.delete(name);
      establish(definitions, name);
    });
    waiting.set(name, cancel);
  }
}

function establish({ server, stored }: FollowedDefinitions, name: string): void {
  const object = stored.get(name);
  if (object !== undefined && object.metadata.deletionTimestamp === undefined) {
    const status = withCondition(server, object, {
      type: "Established",
      status: "True",
      reason: "InitialNamesAccepted",
      message: "the initial names have been accepted",
    });
    writeStatus(server, object, status);
  }
}
