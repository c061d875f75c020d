import type { ServerContext } from "../server-context.js";
import type { ObjectWriter } from "./object-writer.js";
import type { OwnerIndex } from "./owner-index.js";

/** What every controller of one server works with. */
export interface ControllerParts {
  readonly server: ServerContext;
  readonly index: OwnerIndex;
  readonly writer: ObjectWriter;
}
