import type { StatusCause } from "@typekube/core";
import { dataCauses } from "./data-validation.js";
import { isJsonObject, type JsonObject } from "./json-value.js";
import type { ServedResource } from "./served-resource.js";
import { cause } from "./status-errors.js";
import type { ApiObject } from "./stored-object.js";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${label}(\\.${label})*$`);
const namePartPattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const texts = {
  subdomain: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${label}(\\.${label})*')`,
  label: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
  namePart:
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  value:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  finalizer: "name is neither a standard finalizer name nor is it fully qualified",
} as const;

const standardFinalizers = new Set(["foregroundDeletion", "kubernetes", "orphan"]);
const maxAnnotationBytes = 256 * 1024;

/** What is wrong with the metadata of an object, in the words of the API. */
export function metadataCauses({ metadata }: ApiObject, { rules }: ServedResource): StatusCause[] {
  return [
    ...nameCauses(metadata.name ?? "", rules.names),
    ...labelCauses(metadata.labels),
    ...annotationCauses(metadata.annotations),
    ...(metadata.finalizers ?? []).flatMap((finalizer, at) =>
      isFinalizer(finalizer)
        ? []
        : [cause.invalid(`metadata.finalizers[${at}]`, finalizer, texts.finalizer)],
    ),
  ];
}

function nameCauses(name: string, rule: ServedResource["rules"]["names"]): StatusCause[] {
  const wrong = (why: string) => [cause.invalid("metadata.name", name, why)];
  switch (rule) {
    case "path":
      return name === "." || name === ".."
        ? wrong(`may not be '${name}'`)
        : ["/", "%"].flatMap((sign) =>
            name.includes(sign) ? wrong(`may not contain '${sign}'`) : [],
          );
    case "label":
      return name.length > 63
        ? wrong("must be no more than 63 characters")
        : labelPattern.test(name)
          ? []
          : wrong(texts.label);
    case "service":
      return name.includes(".")
        ? wrong("must not contain dots")
        : labelPattern.test(name)
          ? []
          : wrong(texts.label);
    case "subdomain":
      return name.length > 253
        ? wrong("must be no more than 253 characters")
        : subdomainPattern.test(name)
          ? []
          : wrong(texts.subdomain);
    default:
      return rule satisfies never;
  }
}

function labelCauses(labels: unknown): StatusCause[] {
  if (!isJsonObject(labels)) {
    return [];
  }
  // Values are told before keys, both in the order of the keys.
  const keys = Object.keys(labels).sort();
  const causes: StatusCause[] = [];
  for (const key of keys) {
    const value = String(labels[key]);
    if (value.length > 63) {
      causes.push(cause.invalid("metadata.labels", value, "must be no more than 63 characters"));
    } else if (!valuePattern.test(value)) {
      causes.push(cause.invalid("metadata.labels", value, texts.value));
    }
  }
  return [...causes, ...keys.flatMap((key) => qualifiedNameCauses("metadata.labels", key))];
}

function annotationCauses(annotations: unknown): StatusCause[] {
  if (!isJsonObject(annotations)) {
    return [];
  }
  const keys = Object.keys(annotations);
  const bytes = keys.reduce((sum, key) => sum + key.length + String(annotations[key]).length, 0);
  const tooLong =
    bytes > maxAnnotationBytes ? [cause.tooLong("metadata.annotations", maxAnnotationBytes)] : [];
  return [
    ...keys.flatMap((key) => qualifiedNameCauses("metadata.annotations", key.toLowerCase(), key)),
    ...tooLong,
  ];
}

function qualifiedNameCauses(field: string, name: string, shown: string = name): StatusCause[] {
  const slash = name.indexOf("/");
  const part = name.slice(slash + 1);
  if (slash >= 0 && !subdomainPattern.test(name.slice(0, slash))) {
    return [cause.invalid(field, shown, `prefix part ${texts.subdomain}`)];
  }
  if (part.length > 63) {
    return [cause.invalid(field, shown, "name part must be no more than 63 characters")];
  }
  return namePartPattern.test(part) ? [] : [cause.invalid(field, shown, texts.namePart)];
}

function isFinalizer(finalizer: string): boolean {
  return (
    standardFinalizers.has(finalizer) ||
    (finalizer.includes("/") && qualifiedNameCauses("", finalizer).length === 0)
  );
}

/** What a finalizer list may not become while the object is being deleted. */
export function newFinalizerCauses(
  before: readonly string[],
  now: readonly string[],
): StatusCause[] {
  const added = now.filter((finalizer) => !before.includes(finalizer));
  if (added.length === 0) {
    return [];
  }
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  return [
    cause.forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
}

/** The handful of required fields of workloads that people forget. */
export function kindCauses({ storage }: ServedResource, object: ApiObject): StatusCause[] {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  if (storage === "configmaps" || storage === "secrets") {
    return dataCauses(storage, object);
  }
  if (storage === "pods") {
    return containerCauses(spec, "spec");
  }
  if (storage === "services") {
    const needsPorts = spec["type"] !== "ExternalName" && spec["clusterIP"] !== "None";
    return needsPorts && !hasItems(spec["ports"]) ? [cause.required("spec.ports")] : [];
  }
  if (
    ["deployments.apps", "daemonsets.apps", "replicasets.apps", "statefulsets.apps"].includes(
      storage,
    )
  ) {
    return workloadCauses(spec);
  }
  if (storage === "jobs.batch") {
    const template = isJsonObject(spec["template"]) ? spec["template"] : {};
    return containerCauses(
      isJsonObject(template["spec"]) ? template["spec"] : {},
      "spec.template.spec",
    );
  }
  return [];
}

function workloadCauses(spec: JsonObject): StatusCause[] {
  const template = isJsonObject(spec["template"]) ? spec["template"] : {};
  const podSpec = isJsonObject(template["spec"]) ? template["spec"] : {};
  const metadata = isJsonObject(template["metadata"]) ? template["metadata"] : {};
  const labels = isJsonObject(metadata["labels"]) ? metadata["labels"] : undefined;
  const selector = isJsonObject(spec["selector"]) ? spec["selector"] : undefined;
  const wanted = isJsonObject(selector?.["matchLabels"]) ? selector["matchLabels"] : {};
  const fits =
    selector !== undefined && Object.keys(wanted).every((key) => labels?.[key] === wanted[key]);
  return [
    ...(selector === undefined ? [cause.required("spec.selector")] : []),
    ...(fits
      ? []
      : [
          cause.invalid(
            "spec.template.metadata.labels",
            labels ?? null,
            "`selector` does not match template `labels`",
          ),
        ]),
    ...containerCauses(podSpec, "spec.template.spec"),
  ];
}

function containerCauses(podSpec: JsonObject, path: string): StatusCause[] {
  const containers = podSpec["containers"];
  if (!Array.isArray(containers) || containers.length === 0) {
    return [cause.required(`${path}.containers`)];
  }
  return containers.flatMap((container: unknown, at) => {
    const at0 = `${path}.containers[${at}]`;
    const { name, image } = isJsonObject(container) ? container : {};
    return [
      ...(name === undefined || name === "" ? [cause.required(`${at0}.name`)] : []),
      // A template may leave the image to somebody else, a pod may not.
      ...(image === undefined || image === "" ? [cause.required(`${at0}.image`)] : []),
    ];
  });
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
