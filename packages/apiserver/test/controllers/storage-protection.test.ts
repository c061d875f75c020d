import { expect, it } from "vitest";
import { isUsed } from "../../src/controllers/storage-protection/is-used.js";
import { createControllerContext, objectOf, podOf, template } from "./controller-context.js";

it("a claim is used by a pod on a node, not by an unscheduled one", async () => {
  const { writer } = await createControllerContext();
  const claim = objectOf("v1", "PersistentVolumeClaim", "data");
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  const spec = { ...(template["spec"] as object), volumes };
  writer.create("pods", podOf("waits", { spec }));
  expect(isUsed(writer, "persistentvolumeclaims", claim)).toBe(false);
  writer.create("pods", podOf("runs", { spec: { ...spec, nodeName: "n1" } }));
  expect(isUsed(writer, "persistentvolumeclaims", claim)).toBe(true);
});

it("a bound volume is used while its claim exists", async () => {
  const { writer } = await createControllerContext("persistentvolumeclaims");
  const claimRef = { namespace: "default", name: "data" };
  const volume = objectOf("v1", "PersistentVolume", "v", {
    spec: { claimRef },
    status: { phase: "Bound" },
  });
  expect(isUsed(writer, "persistentvolumes", volume)).toBe(false);
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  writer.create(
    "persistentvolumeclaims",
    objectOf("v1", "PersistentVolumeClaim", "data", { spec }),
  );
  expect(isUsed(writer, "persistentvolumes", volume)).toBe(true);
});
