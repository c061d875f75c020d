import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  rejectionCauses,
  version,
} from "../support/custom-resources.js";

const object = { type: "object" };
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

interface BadDefinition {
  readonly id: string;
  readonly name: string;
  readonly definition: object;
  /** `field | reason | message`, sorted. */
  readonly causes: readonly string[];
}

const withSchema = (schema: object, more: object = {}) =>
  customDefinition("Bad", [version(schema, more)]);

const bad: readonly BadDefinition[] = [
  {
    id: "ES13-name",
    name: "a definition must be named plural.group",
    definition: { ...withSchema(object), metadata: { name: "foo" } },
    causes: [
      'metadata.name | FieldValueInvalid | Invalid value: "foo": must be spec.names.plural+"."+spec.group',
    ],
  },
  {
    id: "ES13-no-storage-version",
    name: "exactly one version must be the storage version",
    definition: withSchema(object, { storage: false }),
    causes: [
      'spec.versions | FieldValueInvalid | Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
      "status.storedVersions | FieldValueInvalid | Invalid value: null: must have at least one stored version",
    ],
  },
  {
    id: "ES13-empty",
    name: "an empty definition is rejected with all required fields",
    definition: { metadata: { name: `bads.${customGroup}` }, spec: {} },
    causes: [
      `metadata.name | FieldValueInvalid | Invalid value: "bads.${customGroup}": must be spec.names.plural+"."+spec.group`,
      "spec.group | FieldValueRequired | Required value",
      "spec.names.kind | FieldValueRequired | Required value",
      "spec.names.listKind | FieldValueRequired | Required value",
      "spec.names.plural | FieldValueRequired | Required value",
      "spec.names.singular | FieldValueRequired | Required value",
      "spec.scope | FieldValueRequired | Required value",
      "spec.versions | FieldValueInvalid | Invalid value: null: must have exactly one version marked as storage version",
      "status.storedVersions | FieldValueInvalid | Invalid value: null: must have at least one stored version",
    ],
  },
  {
    id: "ES13-no-schema",
    name: "every version needs a schema",
    definition: customDefinition("Bad", [{ name: "v1", served: true, storage: true }]),
    causes: ["spec.versions[0].schema.openAPIV3Schema | FieldValueRequired | Required value"],
  },
  {
    id: "ES13-names",
    name: "names must be labels, and listKind must differ from kind",
    definition: customDefinition("Bad", [version(object)], {
      names: {
        kind: "Bad",
        listKind: "Bad",
        plural: "bads",
        shortNames: ["A B"],
        categories: ["C_"],
      },
    }),
    causes: [
      `spec.names.categories[0] | FieldValueInvalid | Invalid value: "C_": ${label}`,
      'spec.names.listKind | FieldValueInvalid | Invalid value: "Bad": kind and listKind may not be the same',
      `spec.names.shortNames[0] | FieldValueInvalid | Invalid value: "A B": ${label}`,
    ],
  },
  {
    id: "ES13-group-scope",
    name: "a group must be a domain and a scope must be known",
    definition: customDefinition("Bad", [version(object)], { group: "q", scope: "World" }),
    causes: [
      `metadata.name | FieldValueInvalid | Invalid value: "bads.${customGroup}": must be spec.names.plural+"."+spec.group`,
      'spec.group | FieldValueInvalid | Invalid value: "q": should be a domain with at least one dot',
      'spec.scope | FieldValueNotSupported | Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    ],
  },
  {
    id: "ES13-protected-group",
    name: "a protected group needs the approval annotation",
    definition: {
      ...customDefinition("Bad", [version(object)], { group: "q.k8s.io" }),
      metadata: { name: "bads.q.k8s.io" },
    },
    causes: [
      'metadata.annotations[api-approved.kubernetes.io] | FieldValueRequired | Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
  },
  {
    id: "MIG17-preserve",
    name: "preserveUnknownFields must be set in the schema",
    definition: customDefinition("Bad", [version(object)], { preserveUnknownFields: true }),
    causes: [
      "spec.preserveUnknownFields | FieldValueInvalid | Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    ],
  },
  {
    id: "ES13-scale-paths",
    name: "the paths of a scale must be simple and below spec or status",
    definition: withSchema(object, {
      subresources: {
        scale: {
          specReplicasPath: "spec.x",
          statusReplicasPath: ".spec.y",
          labelSelectorPath: ".foo",
        },
      },
    }),
    causes: [
      'spec.subresources.scale.labelSelectorPath | FieldValueInvalid | Invalid value: ".foo": should be a json path under either .spec or .status',
      'spec.subresources.scale.specReplicasPath | FieldValueInvalid | Invalid value: "spec.x": must be a simple json path starting with .',
      'spec.subresources.scale.statusReplicasPath | FieldValueInvalid | Invalid value: ".spec.y": should be a json path under .status',
    ],
  },
  {
    id: "ES13-columns",
    name: "a printer column needs a name, a type and a path",
    definition: withSchema(object, {
      additionalPrinterColumns: [
        { name: "", type: "foo", format: "bar", jsonPath: "" },
        { name: "a", type: "string", jsonPath: "x" },
        { name: "b", type: "", jsonPath: ".x" },
      ],
    }),
    causes: [
      "spec.additionalPrinterColumns[0].JSONPath | FieldValueRequired | Required value",
      'spec.additionalPrinterColumns[0].format | FieldValueInvalid | Invalid value: "bar": must be one of byte,date,date-time,double,float,int32,int64,password',
      "spec.additionalPrinterColumns[0].name | FieldValueRequired | Required value",
      'spec.additionalPrinterColumns[0].type | FieldValueInvalid | Invalid value: "foo": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[1].JSONPath | FieldValueInvalid | Invalid value: "x": must be a simple json path starting with .',
      "spec.additionalPrinterColumns[2].type | FieldValueRequired | Required value: must be one of boolean,date,integer,number,string",
    ],
  },
  {
    id: "ES14-selectable-paths",
    name: "selectable fields must be scalars of the schema",
    definition: withSchema(
      {
        type: "object",
        properties: {
          spec: { type: "object", properties: { o: { type: "object" }, a: { type: "string" } } },
        },
      },
      {
        selectableFields: [
          { jsonPath: ".spec.missing" },
          { jsonPath: ".spec.o" },
          { jsonPath: ".spec.a" },
          { jsonPath: ".spec.a" },
        ],
      },
    ),
    causes: [
      'spec.selectableFields[0].jsonPath | FieldValueInvalid | Invalid value: ".spec.missing": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[1].jsonPath | FieldValueInvalid | Invalid value: ".spec.o": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.selectableFields[3].jsonPath | FieldValueDuplicate | Duplicate value: ".spec.a"',
    ],
  },
  {
    id: "MIG17-webhook",
    name: "conversion by webhook needs review versions and a valid client config",
    definition: customDefinition("Bad", [version(object)], {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v9"], clientConfig: { url: "http://x" } },
      },
    }),
    causes: [
      'spec.conversion.conversionReviewVersions | FieldValueInvalid | Invalid value: ["v9"]: must include at least one of v1, v1beta1',
      "spec.conversion.webhookClientConfig.url | FieldValueInvalid | Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
    ],
  },
];

/** Cases for definitions that a server rejects. */
export const customResourceDefinitions: readonly ConformanceCase[] = bad.map(
  ({ id, name, definition, causes }) => ({
    id,
    name: `custom: ${name}`,
    needs: ["crd"],
    async run({ client }) {
      const definitions = client.resource(CustomResourceDefinition);
      const seen = await rejectionCauses(
        definitions.create(definition as CustomResourceDefinition),
      );
      assert.deepEqual(seen, [...causes].sort());
    },
  }),
);
