import type { RelatedLocation } from "../model/finding.js";
import type { RuleOrigin } from "../model/rule-origin.js";
import type { Installation } from "./install.js";
import { ItemPlaces } from "./item-places.js";
import { fieldOf } from "./rule-origin.js";
import { noSecrets } from "./secrets.js";

/** Finds the expressions behind findings in the policies and definitions of a check. Each document is read once. */
export class OriginPlaces {
  readonly #installation: Pick<Installation, "itemOf">;
  readonly #known = new Map<string, RelatedLocation | undefined>();

  constructor(installation: Pick<Installation, "itemOf">) {
    this.#installation = installation;
  }

  /** Returns the place of an expression; `undefined` for an object that is not part of the input. */
  of(origin: RuleOrigin): RelatedLocation | undefined {
    const { kind, name, field, version } = origin;
    const key = `${kind}\n${name}\n${version}\n${field}`;
    if (!this.#known.has(key)) {
      this.#known.set(key, this.#find(origin));
    }
    return this.#known.get(key);
  }

  #find(origin: RuleOrigin): RelatedLocation | undefined {
    const { kind, name } = origin;
    const item = this.#installation.itemOf(kind, name);
    if (item === undefined) {
      return undefined;
    }
    const what = kind === "CustomResourceDefinition" ? "rule" : "expression";
    const { location } = new ItemPlaces(item, noSecrets).ofField(fieldOf(origin, item), "value");
    return { message: `${what} of ${kind} ${name}`, location };
  }
}
