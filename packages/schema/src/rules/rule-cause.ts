import type { StatusCause } from "@typekube/core";

/** A problem that a rule found: what a server says, and why if that was asked for. */
export interface RuleCause extends StatusCause {
  /**
   * Why the rule is false, with the values that it saw, for example "self.replicas (7) <= self.max (5)"; or why it is too
   * expensive. A server does not send it.
   */
  explanation?: string;
}
