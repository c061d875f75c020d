import assert from "node:assert/strict";
import { CronJob } from "@typekube/api/batch/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";

const long = `@every ${"9".repeat(350)}s`;
const invalid = (schedule: string, shown = schedule.slice("@every ".length)) =>
  [schedule, `failed to parse duration ${schedule}: time: invalid duration "${shown}"`] as const;
const noInteger = (schedule: string, text: string, why = "invalid syntax") =>
  [schedule, `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": ${why}`] as const;

/** Schedules with their error messages; those without a message are valid. */
const schedules: readonly (readonly [schedule: string, why?: string])[] = [
  invalid(long),
  invalid("@every 9223372037s"),
  invalid("@every 2562047h47m16.854775808s"),
  invalid("@every 1h99999999999999999999s"),
  invalid("@every "),
  invalid("@every é", "\\xc3\\xa9"),
  ["@every 9223372036854775807ns"],
  ["@every -1s"],
  ["@every +.5s"],
  ["@every 0"],
  ["@every 1μs"],
  ["@every 1", 'failed to parse duration @every 1: time: missing unit in duration "1"'],
  ["@every 1d", 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
  [
    "@every 1h\n",
    'failed to parse duration @every 1h\n: time: unknown unit "h\\x0a" in duration "1h\\x0a"',
  ],
  ["@Daily", "unrecognized descriptor: @Daily"],
  ["1, * * * *"],
  [", * * * *"],
  ["+1 * * * *"],
  ["*-1-2 * * * *"],
  ["? * ? * MON-fri"],
  noInteger("*/1e1 * * * *", "1e1"),
  noInteger("*/ * * * *", ""),
  noInteger("-1 * * * *", ""),
  noInteger("99999999999999999999 * * * *", "99999999999999999999", "value out of range"),
  noInteger("*/99999999999999999999 * * * *", "99999999999999999999", "value out of range"),
  ["*/-1 * * * *", "negative number (-1) not allowed: -1"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["1/2/3 * * * *", "too many slashes: 1/2/3"],
  ["1/0 * * * *", "step of range should be a positive number: 1/0"],
  ["60/0 * * * *", "beginning of range (60) beyond end of range (59): 60/0"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  [" ", "expected exactly 5 fields, found 0: []"],
  ["0", "expected exactly 5 fields, found 1: [0]"],
];

/** Cases for the schedules of CronJobs: valid ones, and the messages for invalid ones. */
export const cronSchedules: readonly ConformanceCase[] = schedules.map(
  ([schedule, why], at): ConformanceCase => ({
    id: `cron-schedule-${at + 1}`,
    name: `${why === undefined ? "takes" : "refuses"} the schedule ${JSON.stringify(schedule.slice(0, 40))}`,
    async run(context) {
      const { status, text } = await rawRequest(context, {
        method: "POST",
        path: `/apis/batch/v1/namespaces/${context.namespace}/cronjobs?dryRun=All`,
        body: {
          apiVersion: CronJob.apiVersion,
          kind: CronJob.kind,
          metadata: { name: "a" },
          spec: {
            schedule,
            jobTemplate: {
              spec: {
                template: {
                  spec: { restartPolicy: "Never", containers: [{ name: "c", image: "x" }] },
                },
              },
            },
          },
        },
      });
      assert.equal(status, why === undefined ? 201 : 422, text);
      if (why !== undefined) {
        assert.equal(
          (JSON.parse(text) as { message: string }).message,
          `CronJob.batch "a" is invalid: spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${why}`,
        );
      }
    },
  }),
);
