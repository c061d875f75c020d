import type { ServerContext } from "../../context/server-context.js";
import type { WatchOrigin } from "../../phases/watch/watch.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ResponseFormat } from "../../request/response-format.js";
import type { WholeRequest } from "../../request/whole-request.js";

/** A call of a resource: its request as received and as parsed, and the format of its response. */
export interface ResourceCall {
  readonly server: ServerContext;
  readonly request: ResourceRequest;
  readonly http: WholeRequest;
  readonly format: ResponseFormat;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly origin: WatchOrigin;
}
