import { parseFieldRequirements } from "../../selectors/parse-field-requirements.js";
import { parseLabelRequirements } from "../../selectors/parse-label-requirements.js";
import { SelectorProblem } from "../../selectors/selector-problem.js";
import type { CelFailure } from "../../values/cel-failure.js";
import { type CelType, structType } from "../../values/cel-type.js";
import type { CheckedSelector, ResourceOfRequest } from "./authorize.js";
import type { CelAuthorizer } from "./cel-authorizer.js";
import type { CelDecision } from "./cel-decision.js";
import { ReceiverValue } from "./receiver-value.js";

/** Type of `authorizer.group(g).resource(r)` and of the variable `authorizer.requestResource`. */
export const resourceCheckType: CelType<CelResourceCheck> = structType(
  "kubernetes.authorization.ResourceCheck",
);

/** The parts of a resource check that its members set. */
export interface ResourceCheckParts extends ResourceOfRequest {
  /** Text of the selector; empty for none. */
  readonly fieldSelector?: string | undefined;
  /** Text of the selector; empty for none. */
  readonly labelSelector?: string | undefined;
}

/** A resource whose checks are to be made. */
export class CelResourceCheck extends ReceiverValue {
  override readonly type: CelType<CelResourceCheck> = resourceCheckType;
  readonly #authorizer: CelAuthorizer;
  readonly #parts: ResourceCheckParts;

  constructor(authorizer: CelAuthorizer, parts: ResourceCheckParts) {
    super();
    this.#authorizer = authorizer;
    this.#parts = parts;
  }

  /** Returns a check with other parts; this one does not change. */
  with(parts: Partial<ResourceCheckParts>): CelResourceCheck {
    return new CelResourceCheck(this.#authorizer, { ...this.#parts, ...parts });
  }

  check(verb: string): CelDecision | CelFailure {
    const { fieldSelector, labelSelector, ...resource } = this.#parts;
    return this.#authorizer.check({
      isResourceRequest: true,
      user: this.#authorizer.user,
      verb,
      apiVersion: "*",
      ...resource,
      fieldSelector: parsed(fieldSelector, parseFieldRequirements),
      labelSelector: parsed(labelSelector, parseLabelRequirements),
    });
  }
}

function parsed<R>(
  text: string | undefined,
  parse: (text: string) => readonly R[],
): CheckedSelector<R> | undefined {
  if (text === undefined || text === "") {
    return undefined;
  }
  try {
    return { requirements: parse(text) };
  } catch (error) {
    if (error instanceof SelectorProblem) {
      return { error: error.message };
    }
    throw error;
  }
}
