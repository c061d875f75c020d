import { controllerOf, isGoing } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import type { StoreEvent } from "../../store/history.js";
import { isOver, jobStorage } from "../jobs/job-outcome.js";
import { splitKey } from "../pods/owned-pods.js";
import { compareAge } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { cronStorage, writeCronStatus } from "./cron-status.js";
import { cronTimes } from "./cron-times.js";
import { lastDue } from "./last-due.js";
import { createScheduledJob, trimHistory } from "./scheduled-jobs.js";

/** Creates a Job whenever a CronJob's schedule is due on the server's clock. */
export function createCronJobController(context: ControllerParts): Controller {
  return {
    name: "cron-jobs",
    follows: [cronStorage, jobStorage],
    keysOf,
    reconcile: (key) => reconcile(context, key),
  };
}

function keysOf({ key, namespace, object }: StoreEvent, storage: string): Iterable<string> {
  if (storage === cronStorage) {
    return [key];
  }
  const owner = controllerOf(object);
  return owner?.kind === "CronJob" ? [`${namespace}/${owner.name}`] : [];
}

function reconcile(context: ControllerParts, key: string): Reconciled {
  const { server, writer, index } = context;
  const { clock } = server;
  const cron = writer.get(cronStorage, ...splitKey(key));
  if (cron === undefined || isGoing(cron)) {
    return undefined;
  }
  const jobs = index.ownedIn(jobStorage, cron.metadata.uid ?? "").sort(compareAge);
  trimHistory(context, cron, jobs);
  const { schedule, timeZone, suspend } = specOf(cron);
  if (suspend === true) {
    writeCronStatus(context, cron, undefined);
    return undefined;
  }
  const times = cronTimes(String(schedule), timeZone === undefined ? undefined : String(timeZone));
  const due = lastDue(cron, times.after, clock.now());
  const active = jobs.filter((job) => !isOver(job));
  const isCreated = due !== undefined && createScheduledJob(context, cron, active, due);
  writeCronStatus(context, cron, isCreated ? due : undefined);
  const next = times.after(clock.now());
  return next === undefined ? undefined : next - clock.now();
}
