import { type CelType, structType } from "../../values/cel-type.js";
import type { AuthorizationDecision } from "./authorize.js";
import { ReceiverValue } from "./receiver-value.js";

/** Type of a check's outcome. */
export const decisionType: CelType<CelDecision> = structType("kubernetes.authorization.Decision");

/** The outcome of a check. */
export class CelDecision extends ReceiverValue {
  override readonly type: CelType<CelDecision> = decisionType;
  readonly outcome: AuthorizationDecision;

  constructor(outcome: AuthorizationDecision) {
    super();
    this.outcome = outcome;
  }
}
