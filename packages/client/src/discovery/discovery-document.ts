import { KubeError } from "@typekube/core";

/** The fields of apidiscovery.k8s.io/v2 that we read. */
export interface AggregatedDiscovery {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly AggregatedResource[];
    }[];
  }[];
}

/** A resource in the aggregated form. */
export interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: GroupVersionKind;
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind?: GroupVersionKind;
    readonly verbs?: readonly string[];
  }[];
}

/** Group, version and kind of a resource's objects. */
export interface GroupVersionKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** The older form of the responses of `/api` and `/apis`. */
export interface DiscoveryRoot {
  readonly versions?: readonly string[];
  readonly groups?: readonly {
    readonly name: string;
    readonly versions?: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version?: string };
  }[];
}

/**
 * APIResourceList, the older form: one group-version, with subresources such as `pods/status` listed among the
 * resources.
 */
export interface ApiResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly namespaced?: boolean;
    readonly group?: string;
    readonly version?: string;
    readonly kind: string;
    readonly verbs?: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

interface DiscoveryDocuments {
  readonly aggregated: AggregatedDiscovery;
  readonly root: DiscoveryRoot;
  readonly resourceList: ApiResourceList;
}

/** Shape of a field of a discovery document: optional text, required text (`name`), boolean, list or object. */
type Shape = "boolean" | "name" | "text" | readonly [Shape] | { readonly [field: string]: Shape };

const texts: Shape = ["text"];
const responseKind: Shape = { group: "text", version: "text", kind: "text" };

const aggregatedShape: Shape = {
  items: [
    {
      metadata: { name: "text" },
      versions: [
        {
          version: "name",
          freshness: "text",
          resources: [
            {
              resource: "name",
              responseKind,
              scope: "text",
              singularResource: "text",
              verbs: texts,
              shortNames: texts,
              categories: texts,
              subresources: [{ subresource: "name", responseKind, verbs: texts }],
            },
          ],
        },
      ],
    },
  ],
};

const rootShape: Shape = {
  versions: texts,
  groups: [
    {
      name: "name",
      versions: [{ version: "name" }],
      preferredVersion: { version: "text" },
    },
  ],
};

const resourceListShape: Shape = {
  resources: [
    {
      name: "name",
      singularName: "text",
      namespaced: "boolean",
      group: "text",
      version: "text",
      kind: "name",
      verbs: texts,
      shortNames: texts,
      categories: texts,
    },
  ],
};

const shapes: Readonly<Record<keyof DiscoveryDocuments, Shape>> = {
  aggregated: aggregatedShape,
  root: rootShape,
  resourceList: resourceListShape,
};

/**
 * Checks the types in a discovery document. Like Go's decoder, it treats null as absent and a missing name as empty.
 *
 * @throws {KubeError} `Decode`, naming the first field of the wrong type.
 */
export function discoveryDocument<F extends keyof DiscoveryDocuments>(
  form: F,
  document: unknown,
): DiscoveryDocuments[F] {
  return (shaped(document, shapes[form], "") ?? {}) as DiscoveryDocuments[F];
}

function shaped(value: unknown, shape: Shape, path: string): unknown {
  if (value === undefined || value === null) {
    return shape === "name" ? "" : undefined;
  }
  if (shape === "boolean" || shape === "name" || shape === "text") {
    const type = shape === "boolean" ? "boolean" : "string";
    return typeof value === type ? value : refuse(path, type);
  }
  if (isList(shape)) {
    const [element] = shape;
    return Array.isArray(value)
      ? value.map((one, index) => elementOf(one, element, `${path}[${index}]`))
      : refuse(path, "list");
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    return refuse(path, "object");
  }
  return fieldsOf(value as Readonly<Record<string, unknown>>, shape, path);
}

function fieldsOf(
  value: Readonly<Record<string, unknown>>,
  shape: { readonly [field: string]: Shape },
  path: string,
): object {
  const fields = Object.entries(shape).map(([field, inner]) => [
    field,
    shaped(value[field], inner, path === "" ? field : `${path}.${field}`),
  ]);
  return Object.fromEntries(fields.filter(([, content]) => content !== undefined));
}

/** Reads a list element. Go decodes null in a list as an empty element. */
function elementOf(value: unknown, shape: Shape, path: string): unknown {
  const content = shaped(value, shape === "text" ? "name" : shape, path);
  return (
    content ?? (typeof shape === "object" && !isList(shape) ? fieldsOf({}, shape, path) : content)
  );
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function refuse(path: string, expected: string): never {
  const what = path === "" ? "the discovery document" : `${path} of the discovery document`;
  throw new KubeError("Decode", `${what} is not of the type ${expected}`, {
    hint: "the response may come from a proxy or load balancer, not from the API server",
  });
}
