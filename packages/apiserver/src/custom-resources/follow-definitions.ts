import type { ServerContext } from "../context/server-context.js";
import type { DefinitionOptions } from "./definition-options.js";
import { createFollowedDefinitions, type FollowedDefinitions } from "./followed-definitions.js";
import { settleDefinition } from "./settle-definition.js";

/**
 * Processes every stored definition: accepts its names, serves its versions, and deletes its objects when it is
 * deleted. All this happens during the triggering write, apart from a configured delay.
 *
 * @param publish - called after the served group-versions changed.
 */
export function followDefinitions(
  server: ServerContext,
  options: DefinitionOptions,
  publish: () => void,
): void {
  const definitions = createFollowedDefinitions(server, options, publish);
  const { stored, changed, emptying } = definitions;
  stored.listen(({ key }) => changed.add(key));
  let isBusy = false;
  server.store.onCommit(() => {
    // Processing a definition writes, too; its own writes are part of the same round.
    if (isBusy || changed.size + emptying.size === 0) {
      return;
    }
    isBusy = true;
    try {
      settleChanged(definitions);
    } finally {
      isBusy = false;
    }
  });
}

/** Processes changed definitions until none has changed. */
function settleChanged(definitions: FollowedDefinitions): void {
  const { server, changed, emptying } = definitions;
  do {
    for (const name of emptying) {
      if (server.store.collection(name).size === 0) {
        changed.add(name);
      }
    }
    const names = [...changed];
    changed.clear();
    for (const name of names) {
      settleDefinition(definitions, name);
    }
  } while (changed.size > 0);
}
