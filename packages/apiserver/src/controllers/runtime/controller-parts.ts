import type { ServerContext } from "../../context/server-context.js";
import type { EventRecorder } from "./event-recorder.js";
import type { ObjectWriter } from "./object-writer.js";
import type { OwnerIndex } from "./owner-index.js";

/** Tools shared by all controllers of one server: the context that each of their steps receives. */
export interface ControllerParts {
  readonly server: ServerContext;
  readonly index: OwnerIndex;
  readonly writer: ObjectWriter;
  readonly events: EventRecorder;
  /** Returns the certificate authority of the server's listeners, as PEM. */
  readonly authority: () => string;
}
