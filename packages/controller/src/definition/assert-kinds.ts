import { KubeError } from "@typekube/core";
import type { KindChoice } from "./kind-choice.js";

interface ChosenKinds {
  readonly owns?: readonly KindChoice[] | undefined;
  readonly watches?: readonly { readonly kind: KindChoice }[] | undefined;
  readonly reads?: readonly KindChoice[] | undefined;
}

/** Names of what narrows a cache. */
const narrowing = [
  "anyOwner",
  "cached",
  "fieldSelector",
  "indexes",
  "kind",
  "labelSelector",
  "namespaces",
  "verbs",
  "view",
];

/**
 * Rejects anything that is not a kind where a controller names kinds.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertControllerKinds(call: string, own: KindChoice, options: ChosenKinds): void {
  if (typeof options !== "object" || options === null) {
    throw new KubeError("InvalidArgument", `${call} needs options`);
  }
  assertKind(`the kind of ${call}`, own);
  if (cachesNothing(own)) {
    throw new KubeError("InvalidArgument", `the kind of ${call} must be cached`);
  }
  for (const [list, choices] of [
    ["owns", options.owns],
    ["watches", options.watches?.map?.(({ kind }) => kind)],
    ["reads", options.reads],
  ] as const) {
    for (const choice of Array.isArray(choices) ? (choices as KindChoice[]) : []) {
      assertKind(`${list} of ${call}`, choice);
      if (list !== "reads" && cachesNothing(choice)) {
        throw new KubeError("InvalidArgument", `${list} of ${call}: cached: false causes no runs`, {
          hint: "move the kind to reads",
        });
      }
    }
  }
}

function cachesNothing(choice: KindChoice): boolean {
  return "cached" in choice && choice.cached === false;
}

function assertKind(where: string, choice: KindChoice): void {
  const kind: unknown = typeof choice?.kind === "object" ? choice.kind : choice;
  const isKind =
    typeof kind === "object" &&
    kind !== null &&
    "apiVersion" in kind &&
    "kind" in kind &&
    typeof kind.apiVersion === "string" &&
    typeof kind.kind === "string";
  if (!isKind) {
    throw new KubeError("InvalidArgument", `${where}: not a kind`, {
      hint: 'a descriptor such as Pod, or { apiVersion: "example.com/v1", kind: "Shop" }',
    });
  }
  const unknown =
    kind === choice ? undefined : Object.keys(choice).find((name) => !narrowing.includes(name));
  if (unknown !== undefined) {
    throw new KubeError("InvalidArgument", `${where}: unknown option ${unknown}`, {
      hint: `known are ${narrowing.join(", ")}`,
    });
  }
}
