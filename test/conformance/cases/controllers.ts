import type { ControllerCase } from "./controllers/controller-case.js";
import { deployments } from "./controllers/deployments.js";
import { disruptions } from "./controllers/disruptions.js";
import { garbageCollection } from "./controllers/garbage-collection.js";
import { jobs } from "./controllers/jobs.js";
import { namespaces } from "./controllers/namespaces.js";
import { quotas } from "./controllers/quotas.js";
import { roles } from "./controllers/roles.js";
import { rollouts } from "./controllers/rollouts.js";
import { services } from "./controllers/services.js";
import { sets } from "./controllers/sets.js";
import { storage } from "./controllers/storage.js";

/** Cases for controllers, on any server that runs them. */
export const controllerCases: readonly ControllerCase[] = [
  ...garbageCollection,
  ...namespaces,
  ...deployments,
  ...rollouts,
  ...sets,
  ...jobs,
  ...services,
  ...roles,
  ...quotas,
  ...storage,
  ...disruptions,
];
