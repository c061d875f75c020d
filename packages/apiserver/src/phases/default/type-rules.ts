import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { imageTag } from "./image-tag.js";

/**
 * Fills in values that depend on other fields: rows with `depends` in packages/codegen/facts/type-defaults.json, as of
 * Kubernetes 1.37. Gets a shallow copy to modify, which has the other defaults but not those of nested fields, and the
 * object as given.
 */
export type TypeRule = (object: JsonObject, given: JsonObject) => void;

const rollingUpdate: TypeRule = (strategy) => {
  if (strategy["type"] === "RollingUpdate") {
    strategy["rollingUpdate"] ??= {};
  }
};

/** Defaults to `Always` for images without a tag or with the tag `latest`. */
const pullPolicy: TypeRule = (container) => {
  container["imagePullPolicy"] ||= policyFor(container["image"]);
};

function policyFor(image: unknown): "Always" | "IfNotPresent" {
  return imageTag(String(image ?? "")) === "latest" ? "Always" : "IfNotPresent";
}

/** Default metrics of an autoscaler: 80 % CPU utilization. */
export const defaultMetrics: readonly JsonObject[] = [
  {
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
  },
];

const deviceCount: TypeRule = (request) => {
  if (request["allocationMode"] === "ExactCount" && (request["count"] ?? 0) === 0) {
    request["count"] = 1;
  }
};

const roleSubject: TypeRule = (subject) => {
  // Subjects of flow schemas have nested names and no apiGroup.
  if ((subject["apiGroup"] ?? "") === "" && !isJsonObject(subject["user"])) {
    if (subject["kind"] === "User" || subject["kind"] === "Group") {
      subject["apiGroup"] = "rbac.authorization.k8s.io";
    }
  }
};

/** Rules by type name. */
export const typeRules: Readonly<Record<string, TypeRule>> = {
  Container: pullPolicy,
  EphemeralContainer: pullPolicy,
  ImageVolumeSource: (source) => {
    source["pullPolicy"] ||= policyFor(source["reference"]);
  },
  PodSpec: (spec) => {
    // The deprecated alias has the same value, whichever of both was given.
    const account = spec["serviceAccountName"] || spec["serviceAccount"];
    if (account) {
      spec["serviceAccountName"] = account;
      spec["serviceAccount"] = account;
    }
  },
  Volume: (volume) => {
    if (Object.keys(volume).every((key) => key === "name" || volume[key] === null)) {
      volume["emptyDir"] = {};
    }
  },
  PersistentVolumeSpec: (spec) => {
    spec["persistentVolumeReclaimPolicy"] ||= "Retain";
    spec["volumeMode"] ??= "Filesystem";
  },
  DeploymentStrategy: rollingUpdate,
  DaemonSetUpdateStrategy: rollingUpdate,
  StatefulSetUpdateStrategy: (strategy, given) => {
    // An explicit type gets no default parameters.
    if ((given["type"] ?? "") === "") {
      strategy["rollingUpdate"] ??= {};
    }
  },
  ServiceSpec: (spec) => {
    const { type } = spec;
    if (spec["sessionAffinity"] === "ClientIP") {
      const config = isJsonObject(spec["sessionAffinityConfig"])
        ? spec["sessionAffinityConfig"]
        : {};
      const clientIP = isJsonObject(config["clientIP"]) ? config["clientIP"] : {};
      spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: 10_800, ...clientIP } };
    } else if (spec["sessionAffinity"] === "None") {
      delete spec["sessionAffinityConfig"];
    }
    if (type === "NodePort" || type === "LoadBalancer") {
      spec["externalTrafficPolicy"] ||= "Cluster";
    }
    if (type !== "ExternalName") {
      spec["internalTrafficPolicy"] ??= "Cluster";
    }
    if (type === "LoadBalancer") {
      spec["allocateLoadBalancerNodePorts"] ??= true;
    }
  },
  LoadBalancerIngress: (place) => {
    if ((place["ip"] ?? "") !== "") {
      place["ipMode"] ??= "VIP";
    }
  },
  ServicePort: (port) => {
    if (port["targetPort"] === undefined || port["targetPort"] === 0 || port["targetPort"] === "") {
      port["targetPort"] = port["port"];
    }
  },
  NetworkPolicySpec: (spec) => {
    const types = spec["policyTypes"];
    if (!Array.isArray(types) || types.length === 0) {
      const { egress } = spec;
      const hasEgress = Array.isArray(egress) && egress.length > 0;
      spec["policyTypes"] = hasEgress ? ["Ingress", "Egress"] : ["Ingress"];
    }
  },
  HorizontalPodAutoscalerBehavior: (behavior) => {
    const pods = { type: "Pods", value: 4, periodSeconds: 15 };
    const percent = { type: "Percent", value: 100, periodSeconds: 15 };
    behavior["scaleUp"] = {
      stabilizationWindowSeconds: 0,
      selectPolicy: "Max",
      policies: [pods, percent],
      ...withoutAbsent(behavior["scaleUp"]),
    };
    behavior["scaleDown"] = {
      selectPolicy: "Max",
      policies: [percent],
      ...withoutAbsent(behavior["scaleDown"]),
    };
  },
  LimitRangeItem: (item) => {
    if (item["type"] === "Container") {
      item["default"] = { ...mapOf(item["max"]), ...mapOf(item["default"]) };
      item["defaultRequest"] = {
        ...mapOf(item["min"]),
        ...mapOf(item["default"]),
        ...mapOf(item["defaultRequest"]),
      };
    }
  },
  Subject: roleSubject,
  ExactDeviceRequest: deviceCount,
  DeviceSubRequest: deviceCount,
};

function mapOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function withoutAbsent(value: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(mapOf(value)).filter(([, one]) => one !== null && one !== undefined),
  );
}
