import type { LogEvent, LogLines, LogOptions, PodCalls } from "@typekube/client";
import { expectTypeOf, it } from "vitest";

it("XL2: the type of the items follows from the options", () => {
  const logs = (pod: PodCalls, options: LogOptions) => ({
    text: pod.logs(),
    given: pod.logs(options),
    events: pod.logs({ follow: true, events: true }),
    json: pod.logs({ json: true }),
    raw: pod.logs({ raw: true }),
  });
  type Logs = ReturnType<typeof logs>;
  expectTypeOf<Logs["text"]>().toEqualTypeOf<LogLines<string>>();
  expectTypeOf<Logs["given"]>().toEqualTypeOf<LogLines<string>>();
  expectTypeOf<Logs["events"]>().toEqualTypeOf<LogLines<LogEvent>>();
  expectTypeOf<Logs["json"]>().toEqualTypeOf<LogLines<unknown>>();
  expectTypeOf<Logs["raw"]>().toEqualTypeOf<LogLines<Buffer>>();
});
