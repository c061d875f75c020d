import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  type StructType,
  stringType,
  timestampType,
} from "@typekube/cel";

const texts = listType(stringType);
const textMap = mapType(stringType, stringType);

const kind = objectType("kubernetes.GroupVersionKind", {
  group: stringType,
  version: stringType,
  kind: stringType,
});

const resource = objectType("kubernetes.GroupVersionResource", {
  group: stringType,
  version: stringType,
  resource: stringType,
});

/** Type of the variable `request`. (k8s.io/apiserver/pkg/admission/plugin/cel `BuildRequestType`) */
export const requestType: StructType = objectType("kubernetes.AdmissionRequest", {
  kind,
  resource,
  subResource: stringType,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: objectType("kubernetes.UserInfo", {
    username: stringType,
    uid: stringType,
    groups: texts,
    extra: mapType(stringType, texts),
  }),
  dryRun: boolType,
  options: dynType,
});

/** Type of the variable `namespaceObject`. (k8s.io/apiserver/pkg/admission/plugin/cel `BuildNamespaceType`) */
export const namespaceType: StructType = objectType("kubernetes.Namespace", {
  metadata: objectType("kubernetes.NamespaceMetadata", {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: textMap,
    annotations: textMap,
    // Kubernetes declares this field in capitals, so no expression can read the `uid`.
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: texts,
  }),
  spec: objectType("kubernetes.NamespaceSpec", { finalizers: texts }),
  status: objectType("kubernetes.NamespaceStatus", {
    conditions: listType(
      objectType("kubernetes.NamespaceCondition", {
        status: stringType,
        type: stringType,
        lastTransitionTime: timestampType,
        message: stringType,
        reason: stringType,
      }),
    ),
    phase: stringType,
  }),
});
