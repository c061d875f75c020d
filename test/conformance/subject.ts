import type { Client } from "typekube";
import type { ConformanceContext, Need } from "./conformance-case.js";

/** A server that the cases run on. Implement this interface to add another kind of server. */
export interface Subject
  extends AsyncDisposable,
    Pick<ConformanceContext, "clientOf" | "compact" | "server" | "whileTimePasses"> {
  /** Name in the report. */
  readonly label: string;
  readonly provides: ReadonlySet<Need>;
  readonly client: Client;
}
