import type { StatusCause } from "@typekube/core";

/** Thrown for a policy that a server would refuse. */
export class PolicyProblem extends TypeError {
  override readonly name = "PolicyProblem";
  /** The field errors that a server would report. */
  readonly causes: readonly StatusCause[];

  constructor(policy: string, causes: readonly StatusCause[]) {
    const lines = causes.map(({ field = "", message = "" }) => `${field}: ${message}`);
    super(`the policy ${JSON.stringify(policy)} cannot be written:\n${lines.join("\n")}`);
    this.causes = causes;
  }
}
