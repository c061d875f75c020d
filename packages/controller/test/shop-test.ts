import {
  type ControllerTest,
  type ControllerTestOptions,
  controllerTest,
} from "@typekube/apiserver/testing";
import type { Controller } from "@typekube/controller";
import type { LogEntry } from "../src/log/log.js";
import { Shop, shopDefinition } from "./shop.js";

/** A test of controllers of Shop: its clients of shops and its log. */
export interface ShopTest extends ControllerTest {
  readonly log: readonly LogEntry[];
  /** Lines of the log at this level. */
  lines(level: LogEntry["level"]): string[];
  /** Creates a shop in the namespace `default` and waits until nothing is going on. */
  open(name: string, spec?: Shop["spec"], metadata?: Shop["metadata"]): Promise<void>;
  /** Changes a shop and waits until nothing is going on. */
  change(name: string, change: (draft: Shop) => void): Promise<void>;
  shop(name: string): Promise<Shop | undefined>;
  /** Milliseconds between the ends of the runs of a shop. */
  delays(name: string): number[];
}

/** Starts controllers on a server that has the kind Shop. */
export async function shopTest(
  controllers: Controller | readonly Controller[],
  { manager = {}, load, ...options }: ControllerTestOptions = {},
): Promise<ShopTest> {
  const log: LogEntry[] = [];
  const t = await controllerTest(controllers, {
    load: [shopDefinition, ...((load ?? []) as never[])],
    ...options,
    manager: { log: (entry) => log.push(entry), ...manager },
  });
  const shops = t.client.resource(Shop, "default");
  return {
    ...t,
    log,
    lines: (level) => log.filter((one) => one.level === level).map(({ message }) => message),
    async open(name, spec = {}, metadata = {}) {
      await shops.create({ metadata: { ...metadata, name }, spec });
      await t.settled();
    },
    async change(name, change) {
      await shops.modify(name, (draft) => change(draft as Shop));
      await t.settled();
    },
    shop: (name) => shops.find(name),
    delays(name) {
      const ends = t.runs(`default/${name}`).map(({ endedAtMs }) => endedAtMs);
      return ends.slice(1).map((end, at) => end - (ends[at] ?? 0));
    },
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

/** A promise that the test resolves. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
