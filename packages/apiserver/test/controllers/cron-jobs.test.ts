import { expect, it } from "vitest";
import { lastDue } from "../../src/controllers/cron-jobs/last-due.js";
import { createScheduledJob, trimHistory } from "../../src/controllers/cron-jobs/scheduled-jobs.js";
import { createControllerContext, namesIn, objectOf, template } from "./controller-context.js";

const minute = 60_000;
const everyMinute = (moment: number) => (Math.floor(moment / minute) + 1) * minute;

const jobTemplate = {
  spec: {
    template: { ...template, spec: { ...(template["spec"] as object), restartPolicy: "Never" } },
  },
};
const cronJob = (spec: object) =>
  objectOf(
    "batch/v1",
    "CronJob",
    "tick",
    { spec: { schedule: "* * * * *", jobTemplate, ...spec } },
    { uid: "u", creationTimestamp: "1970-01-01T00:00:00Z" },
  );

it("of several missed times only the latest is due, and only until its deadline", () => {
  expect(lastDue(cronJob({}), everyMinute, 3.5 * minute)).toBe(3 * minute);
  expect(lastDue(cronJob({}), everyMinute, 0.5 * minute)).toBeUndefined();
  const strict = cronJob({ startingDeadlineSeconds: 10 });
  expect(lastDue(strict, everyMinute, 3.5 * minute)).toBeUndefined();
});

it("a due time has one Job; the policy Forbid allows none beside an active one", async () => {
  const context = await createControllerContext("jobs.batch");
  expect(createScheduledJob(context, cronJob({}), [], 5 * minute)).toBe(true);
  expect(createScheduledJob(context, cronJob({}), [], 5 * minute)).toBe(true);
  const active = context.writer.list("jobs.batch", "");
  const forbids = cronJob({ concurrencyPolicy: "Forbid" });
  expect(createScheduledJob(context, forbids, active, 6 * minute)).toBe(false);
  expect(namesIn(context, "jobs.batch")).toEqual(["tick-5"]);
});

it("deletes the oldest finished Jobs beyond the history limits", async () => {
  const context = await createControllerContext("jobs.batch");
  const conditions = [{ type: "Failed", status: "True" }];
  const jobs = ["a", "b"].map((name) => {
    const stored = context.writer.create(
      "jobs.batch",
      objectOf("batch/v1", "Job", name, jobTemplate),
    );
    return { ...stored, status: { conditions } };
  });
  trimHistory(context, cronJob({}), jobs);
  expect(namesIn(context, "jobs.batch")).toEqual(["b"]);
});
