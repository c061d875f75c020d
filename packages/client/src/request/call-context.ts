import type { Clock, HttpSend } from "@typekube/core/internal";
import type { ErrorFromResponseOptions } from "@typekube/transport/internal";
import type { ClientDefaults } from "../options/client-defaults.js";

/** The parts of a client that a call needs: the transport, the defaults and the clock. */
export interface CallContext {
  readonly send: HttpSend;
  readonly defaults: ClientDefaults;
  readonly clock: Clock;
}

/** Returns the client settings needed to read an error response. */
export function errorOptions({ defaults, clock }: CallContext): ErrorFromResponseOptions {
  return { limits: defaults.limits, redactErrors: defaults.redactErrors, clock };
}
