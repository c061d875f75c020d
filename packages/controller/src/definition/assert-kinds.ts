import { KubeError } from "@typekube/core";
import { isPlainKind } from "./any-kind.js";
import { isKeptKind } from "./keep-fields.js";
import type { CachedKind, KindChoice } from "./kind-choice.js";

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
  "unchanged",
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
  if (isKeptKind(choice) || isPlainKind(choice)) {
    return;
  }
  const kind: unknown = (choice as CachedKind | undefined)?.kind;
  if (!isKeptKind(kind) && !isPlainKind(kind)) {
    throw new KubeError("InvalidArgument", `${where}: not a kind`, {
      hint: 'a descriptor such as Pod, or { apiVersion: "example.com/v1", kind: "Shop" }',
    });
  }
  const unknown = Object.keys(choice).find((name) => !narrowing.includes(name));
  if (unknown === "fields") {
    throw new KubeError("InvalidArgument", `${where}: fields is no option`, {
      hint: 'name them with the kind: keepFields(Pod, ["spec.nodeName"])',
    });
  }
  if (unknown !== undefined) {
    throw new KubeError("InvalidArgument", `${where}: unknown option ${unknown}`, {
      hint: `known are ${narrowing.join(", ")}`,
    });
  }
  assertFieldsMakeSense(where, choice as CachedKind);
}

/** @throws {KubeError} `InvalidArgument` for options that go only with fields, or not with them. */
function assertFieldsMakeSense(where: string, choice: CachedKind): void {
  const { kind, view, cached, unchanged } = choice;
  if (unchanged !== undefined && unchanged !== "skip" && unchanged !== "deliver") {
    throw new KubeError("InvalidArgument", `${where}: unchanged must be "skip" or "deliver"`);
  }
  if (!isKeptKind(kind)) {
    if (unchanged !== undefined) {
      throw new KubeError("InvalidArgument", `${where}: unchanged is for kinds with some fields`, {
        hint: 'for example { kind: keepFields(Pod, ["spec.nodeName"]), unchanged: "deliver" }',
      });
    }
    return;
  }
  if (view === "metadata") {
    throw new KubeError(
      "InvalidArgument",
      `${where}: view: "metadata" and fields exclude each other`,
      {
        hint: "name fields of the metadata with keepFields() and leave out the view, or leave out the fields",
      },
    );
  }
  if (cached === false) {
    throw new KubeError("InvalidArgument", `${where}: cached: false keeps no fields`, {
      hint: "declare the kind without keepFields(): run.live reads whole objects",
    });
  }
}
