import type { Client } from "typekube";
import type { ConformanceContext, Need } from "./conformance-case.js";

/** A server that the cases run on. Adding another kind of server means writing one of these. */
export interface Subject
  extends AsyncDisposable,
    Pick<ConformanceContext, "clientOf" | "compact" | "server" | "whileTimePasses"> {
  /** The name for the report. */
  readonly label: string;
  readonly provides: ReadonlySet<Need>;
  readonly client: Client;
}
