import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { getPath } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { ManifestValue } from "../items/check-item.js";
import { podTemplateOf } from "./pod-templates.js";

/** A reference of an object to another one. */
export interface Reference {
  /** Path of the name. */
  readonly field: string;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Default: the namespace of the referring object. */
  readonly namespace?: string | undefined;
  /** `true` for a reference to a cluster-scoped object. Default false. */
  readonly isClusterScoped?: boolean | undefined;
}

/** Returns the references of an object of a built-in kind to others. Optional references are left out. */
export function referencesOf(value: ManifestValue): readonly Reference[] {
  const found: Reference[] = [];
  const add = (field: string, kind: string, name: unknown, more: Partial<Reference> = {}) => {
    if (typeof name === "string" && name !== "") {
      found.push({ field, group: "", kind, name, ...more });
    }
  };
  const template = podTemplateOf(value);
  if (template !== undefined) {
    addOfPod(template.spec, `${template.path}spec`, add);
  }
  const spec = mapping(value["spec"]);
  switch (`${value.apiVersion.split("/")[0]} ${value.kind}`) {
    case "apps StatefulSet":
      add("spec.serviceName", "Service", spec["serviceName"]);
      break;
    case "networking.k8s.io Ingress":
      add(
        "spec.defaultBackend.service.name",
        "Service",
        getPath(spec, "defaultBackend", "service", "name"),
      );
      objectsOf(spec["rules"]).forEach((rule, at) => {
        objectsOf(getPath(rule, "http", "paths")).forEach((path, index) => {
          const field = `spec.rules[${at}].http.paths[${index}].backend.service.name`;
          add(field, "Service", getPath(path, "backend", "service", "name"));
        });
      });
      objectsOf(spec["tls"]).forEach((tls, at) => {
        add(`spec.tls[${at}].secretName`, "Secret", tls["secretName"]);
      });
      break;
    case "autoscaling HorizontalPodAutoscaler": {
      const { apiVersion, kind, name } = mapping(spec["scaleTargetRef"]);
      const group = String(apiVersion ?? "").includes("/") ? String(apiVersion).split("/")[0] : "";
      add("spec.scaleTargetRef.name", String(kind), name, { group: group ?? "" });
      break;
    }
    case "rbac.authorization.k8s.io ClusterRoleBinding":
    case "rbac.authorization.k8s.io RoleBinding": {
      const { kind, name } = mapping(value["roleRef"]);
      const isClusterScoped = kind === "ClusterRole";
      add("roleRef.name", String(kind), name, {
        group: "rbac.authorization.k8s.io",
        isClusterScoped,
      });
      objectsOf(value["subjects"]).forEach((subject, at) => {
        if (subject["kind"] === "ServiceAccount") {
          const { namespace } = subject;
          add(`subjects[${at}].name`, "ServiceAccount", subject["name"], {
            namespace: typeof namespace === "string" ? namespace : undefined,
          });
        }
      });
      break;
    }
    default:
      break;
  }
  return found;
}

type Add = (field: string, kind: string, name: unknown) => void;

function addOfPod(spec: JsonObject, path: string, add: Add): void {
  add(`${path}.serviceAccountName`, "ServiceAccount", spec["serviceAccountName"]);
  objectsOf(spec["imagePullSecrets"]).forEach((one, at) => {
    add(`${path}.imagePullSecrets[${at}].name`, "Secret", one["name"]);
  });
  objectsOf(spec["volumes"]).forEach((volume, at) => {
    addOfVolume(volume, `${path}.volumes[${at}]`, add);
  });
  for (const list of ["containers", "initContainers"]) {
    objectsOf(spec[list]).forEach((container, at) => {
      addOfContainer(container, `${path}.${list}[${at}]`, add);
    });
  }
}

function addOfVolume(volume: JsonObject, path: string, add: Add): void {
  const { configMap, secret, persistentVolumeClaim, projected } = volume;
  if (isRequired(configMap)) {
    add(`${path}.configMap.name`, "ConfigMap", configMap["name"]);
  }
  if (isRequired(secret)) {
    add(`${path}.secret.secretName`, "Secret", secret["secretName"]);
  }
  const claim = mapping(persistentVolumeClaim)["claimName"];
  add(`${path}.persistentVolumeClaim.claimName`, "PersistentVolumeClaim", claim);
  objectsOf(mapping(projected)["sources"]).forEach((source, at) => {
    for (const [key, kind] of projections) {
      const one = source[key];
      if (isRequired(one)) {
        add(`${path}.projected.sources[${at}].${key}.name`, kind, one["name"]);
      }
    }
  });
}

const projections = [
  ["configMap", "ConfigMap"],
  ["secret", "Secret"],
] as const;

function addOfContainer(container: JsonObject, path: string, add: Add): void {
  objectsOf(container["env"]).forEach((variable, at) => {
    const from = mapping(variable["valueFrom"]);
    for (const [key, kind] of keyRefs) {
      const one = from[key];
      if (isRequired(one)) {
        add(`${path}.env[${at}].valueFrom.${key}.name`, kind, one["name"]);
      }
    }
  });
  objectsOf(container["envFrom"]).forEach((from, at) => {
    for (const [key, kind] of envRefs) {
      const one = from[key];
      if (isRequired(one)) {
        add(`${path}.envFrom[${at}].${key}.name`, kind, one["name"]);
      }
    }
  });
}

const keyRefs = [
  ["configMapKeyRef", "ConfigMap"],
  ["secretKeyRef", "Secret"],
] as const;
const envRefs = [
  ["configMapRef", "ConfigMap"],
  ["secretRef", "Secret"],
] as const;

function isRequired(reference: unknown): reference is JsonObject {
  return isJsonObject(reference) && reference["optional"] !== true;
}

function mapping(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
