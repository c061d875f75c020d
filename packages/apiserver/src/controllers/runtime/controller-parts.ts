import type { ServerContext } from "../../context/server-context.js";
import type { EventRecorder } from "./event-recorder.js";
import type { ObjectWriter } from "./object-writer.js";
import type { OwnerIndex } from "./owner-index.js";

/** Tools shared by all controllers of one server. */
export interface ControllerParts {
  readonly server: ServerContext;
  readonly index: OwnerIndex;
  readonly writer: ObjectWriter;
  readonly events: EventRecorder;
}
