import { randomFrom } from "@typekube/test-support/mixed-random";

/** A failure: on an open watch at once, otherwise with the next request. */
export interface Fault {
  readonly kind:
    | "bookmark"
    | "busy"
    | "end"
    | "expired"
    | "garbage"
    | "gone"
    | "hang"
    | "internal"
    | "repeat"
    | "reset";
  /** Sends new events before the failure, in the same group where possible. */
  readonly withNews: boolean;
}

/** Reaction of a handler to a call. */
export type Manner = "fails" | "fast" | "rejects" | "slow";

/** One step of a plan; `on` selects one of the two informers for steps that concern one. */
export type Step = Happening & { readonly on: number };

/** `which` selects one of those that exist. */
type Happening =
  | { readonly do: "write"; readonly name: string; readonly value?: number; readonly tell: boolean }
  | { readonly do: "deliver" }
  | { readonly do: "fault"; readonly fault: Fault }
  | { readonly do: "compact" }
  | { readonly do: "pass"; readonly ms: number }
  | {
      readonly do: "handler";
      readonly manner: Manner;
      readonly filter: boolean;
      readonly maxQueued: number;
    }
  | { readonly do: "release" | "remove" | "resync"; readonly which: number }
  | { readonly do: "cursor" }
  | { readonly do: "read"; readonly which: number; readonly times: number }
  | { readonly do: "stop"; readonly which: number }
  | { readonly do: "index"; readonly of: number }
  | { readonly do: "unindex"; readonly which: number }
  | { readonly do: "reshard"; readonly count: number; readonly index: number }
  | { readonly do: "caughtUp" | "close" }
  | { readonly do: "quiet" };

/** Options of the informers: the same for both, so that they share what they can. */
export interface Setting {
  readonly streamingList: boolean;
  readonly pageSize: number | undefined;
  readonly selects: boolean;
  readonly transform: "drops" | "none" | "picky" | "throws";
  readonly freeze: boolean;
  readonly isSlow: boolean;
}

/** A run that its seed determines. Steps can be left out without changing what the others do. */
export interface Plan {
  readonly seed: number;
  readonly setting: Setting;
  readonly steps: readonly Step[];
}

const faults: readonly Fault["kind"][] = [
  "bookmark",
  "bookmark",
  "busy",
  "end",
  "end",
  "expired",
  "expired",
  "garbage",
  "gone",
  "hang",
  "internal",
  "repeat",
  "reset",
];

/** Maximum wait at a quiet point: this many parts of `quietPartMs` milliseconds. */
export const quietParts = 100;
export const quietPartMs = 40_000;

/** Relative frequency of each step. */
const shares: Readonly<Record<Step["do"], number>> = {
  write: 33,
  deliver: 15,
  fault: 10,
  pass: 7,
  release: 7,
  read: 7,
  handler: 4,
  quiet: 3,
  compact: 2,
  remove: 2,
  resync: 2,
  cursor: 2,
  index: 2,
  reshard: 2,
  caughtUp: 2,
  close: 1,
  stop: 1,
  unindex: 1,
};
const names = (Object.keys(shares) as Step["do"][]).flatMap((name) =>
  Array<Step["do"]>(shares[name]).fill(name),
);

/** Creates a plan with this many steps. */
export function planOf(seed: number, length: number): Plan {
  const random = randomFrom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = <V>(all: readonly V[]): V => all[below(all.length)] as V;
  const chance = (one: number) => below(one) === 0;
  const happening = (): Happening => {
    const name = oneOf(names);
    switch (name) {
      case "write":
        return {
          do: name,
          name: `o${below(6)}`,
          ...(chance(4) ? {} : { value: below(24) }),
          tell: chance(5),
        };
      case "fault":
        return { do: name, fault: { kind: oneOf(faults), withNews: chance(2) } };
      case "pass":
        return { do: name, ms: oneOf([100, 1_000, 5_000, 20_000, 70_000, 200_000]) };
      case "handler":
        return {
          do: name,
          manner: oneOf(["fails", "fast", "rejects", "slow", "slow"] as const),
          filter: chance(3),
          maxQueued: oneOf([0, 2, 1_000]),
        };
      case "read":
        return { do: name, which: below(100), times: 1 + below(5) };
      case "index":
        return { do: name, of: below(3) };
      case "reshard": {
        const count = 1 + below(3);
        return { do: name, count, index: below(count) };
      }
      case "release":
      case "remove":
      case "resync":
      case "stop":
      case "unindex":
        return { do: name, which: below(100) };
      default:
        return { do: name };
    }
  };
  const setting: Setting = {
    streamingList: chance(2),
    pageSize: chance(2) ? 1 + below(3) : undefined,
    selects: chance(2),
    transform: oneOf(["none", "drops", "picky", "throws"] as const),
    freeze: chance(2),
    isSlow: chance(3),
  };
  const steps = Array.from({ length }, () => ({ ...happening(), on: below(2) }));
  return { seed, setting, steps: [...steps, { do: "quiet", on: 0 }] };
}
