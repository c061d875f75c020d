import type { ServerContext } from "../../context/server-context.js";
import type { ControllerParts } from "./controller-parts.js";
import { createEventRecorder } from "./event-recorder.js";
import type { ObjectWriter } from "./object-writer.js";
import { OwnerIndex } from "./owner-index.js";

/**
 * Creates the context of a server's controllers.
 *
 * @param writer - the writer of the field manager `kube-controller-manager`.
 * @param authority - returns the certificate authority of the server's listeners, as PEM.
 */
export function createControllerParts(
  server: ServerContext,
  writer: ObjectWriter,
  authority: () => string,
): ControllerParts {
  const events = createEventRecorder(server, writer);
  return { server, index: new OwnerIndex(server.store), writer, events, authority };
}
