import { connectAttributes, isConnect } from "../admission/connect-attributes.js";
import { activePlugins, admitRequest } from "../admission/dynamic-plugins.js";
import type { ServerContext } from "../context/server-context.js";
import type { JournalEntry } from "../journal/journal.js";
import type { ResourceRequest } from "../request/request-info.js";
import { beginAdmission } from "./calls/begin-admission.js";
import { runAttempts } from "./calls/run-attempts.js";

/**
 * Admits a request that connects a client with a pod, a Service or a node. What webhooks change about its options has no
 * effect.
 *
 * @throws {StatusError} when the connection is denied.
 */
export async function admitConnection(
  server: ServerContext,
  request: ResourceRequest,
  entry: JournalEntry,
): Promise<void> {
  if (!isConnect(request) || activePlugins(server).length === 0) {
    return;
  }
  const admission = beginAdmission({ server, origin: { entry } });
  const attributes = connectAttributes(request, proxiedPath(entry.path));
  await runAttempts(admission, () => admitRequest(admission, attributes));
}

function proxiedPath(target: string): string {
  const form = /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy(\/[^?]*)?(?=\?|$)/;
  return form.exec(target)?.[1] ?? "";
}
