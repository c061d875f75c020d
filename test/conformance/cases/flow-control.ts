import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { FlowSchema, PriorityLevelConfiguration } from "@typekube/api/flowcontrol/v1";
import { isTooManyRequests, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";

/** Number of concurrent requests. */
const atOnce = 50;

/** Cases for a server at its limit. */
export const flowControl: readonly ConformanceCase[] = [
  {
    id: "error-too-many-requests",
    name: "a user with a priority level without shares gets TooManyRequests with a Retry-After",
    needs: ["users", "flow-control"],
    async run({ client, clientOf, namespace, signal }) {
      const name = `throttled-${namespace}`;
      const levels = client.resource(PriorityLevelConfiguration);
      const schemas = client.resource(FlowSchema);
      await levels.create({
        metadata: { name },
        spec: {
          type: "Limited",
          limited: {
            nominalConcurrencyShares: 0,
            borrowingLimitPercent: 0,
            limitResponse: { type: "Reject" },
          },
        },
      });
      await schemas.create({
        metadata: { name },
        spec: {
          matchingPrecedence: 2,
          priorityLevelConfiguration: { name },
          rules: [
            {
              subjects: [{ kind: "User", user: { name: "viewer" } }],
              resourceRules: [
                { verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] },
              ],
            },
          ],
        },
      });
      await using viewer = await clientOf("viewer");
      const ask = async () => {
        const list = viewer.resource(ConfigMap, namespace).list();
        return KubeError.from(await list.then(undefined, (error: unknown) => error));
      };
      // The server applies the new rules asynchronously; until then the user gets Forbidden. A single request would
      // always find a seat.
      const throttled = async () => {
        for (;;) {
          signal.throwIfAborted();
          const responses = await Promise.all(Array.from({ length: atOnce }, ask));
          const found = responses.find(({ code }) => code !== "Forbidden");
          if (found) {
            return found;
          }
        }
      };
      try {
        const error = await throttled();
        assert.ok(isTooManyRequests(error), error.message);
        assert.equal(error.httpStatus, 429);
        assert.ok((error.retryAfterMs ?? 0) >= 1_000);
      } finally {
        await schemas.delete(name);
        await levels.delete(name);
      }
    },
  },
];
