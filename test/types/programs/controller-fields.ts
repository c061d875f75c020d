import { Deployment } from "typekube/api/apps/v1";
import { ConfigMap, Node, Pod } from "typekube/api/core/v1";
import { type Controller, defineController, keepFields } from "typekube/controller";

const webs = keepFields(Deployment, ["status.readyReplicas"]);

/** Names its kinds outside of the declaration and in it: both keep their paths. */
export const pods: Controller = defineController(
  keepFields(Pod, ["spec.nodeName", "status.phase"]),
  {
    owns: [webs, { kind: keepFields(ConfigMap, ["data"]), namespaces: ["prod"] }],
    watches: [
      {
        kind: keepFields(Node, ["spec.unschedulable"]),
        map: (node) => (node.spec?.unschedulable === true ? [`prod/${node.metadata.name}`] : []),
      },
    ],
    async reconcile(pod, run) {
      const node: string = pod.spec?.nodeName ?? "";
      const template = { metadata: { labels: { app: "web" } } };
      const spec = { selector: { matchLabels: { app: "web" } }, template };
      const web = await run.apply(webs, { metadata: { name: node }, spec });
      const ready: number = web.status?.readyReplicas ?? 0;
      const data: Record<string, string> =
        run.get(keepFields(ConfigMap, ["data"]), "a")?.data ?? {};
      await run.createOrUpdate(webs, "web", (draft) => {
        draft.metadata = { ...draft.metadata, annotations: { ...data, ready: `${ready}` } };
      });
      return { status: { message: pod.status?.phase ?? "" } };
    },
  },
);
