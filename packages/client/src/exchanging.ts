import type { Clock, HttpSend } from "@typekube/core";
import type { ClientDefaults } from "./options.js";

/** What an exchange needs of a client. */
export interface Exchanging {
  readonly send: HttpSend;
  readonly defaults: ClientDefaults;
  readonly clock: Clock;
}
