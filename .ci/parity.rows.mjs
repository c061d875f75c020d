// The behaviours that a test double of the Kubernetes API must share with a real server, each with the IDs at the start
// of the titles of its tests. `WAT9*` matches every ID that begins with `WAT9`.

/** Sections: title, and rows of a description and its IDs. */
export const parts = [
  [
    "Versions and reading",
    `
    one counter of versions over all kinds :: RV2
    a list's version begins a watch, even of an empty list :: WAT1 RV7
    reads of any age, of now, not older than a version, of exactly one :: RV9 RV11 RV24 RV34 RV12
    a version that is forgotten is 410, in lists, pages and watches :: RV24-expired P3 WAT5 ES3
    a version of the future is waited for, then 504 :: RV33 RV33-client WAT17
    pages with tokens, an inconsistent token after 410, the count of the rest :: CHK1 CHK2 CHK4 CHK7 CHK9 P3 P4 RV13
    lists are sorted by namespace and name :: list-order
    label selectors, those of sets too; 400 for what is none :: labels-*
    field selectors, those of each kind and those that a definition names :: fields-* ES14-selectable
    parts of collections by a hash (shardSelector) :: SHD-* ES31
  `,
  ],
  [
    "Watching",
    `
    replay from a version :: WAT1 watch-live
    selectors: what enters is added, what leaves is deleted :: watch-selector-enter-leave ES4
    a deletion carries the last state and a new version :: watch-deleted-version
    bookmarks :: WAT8 ALT21-bookmark
    streaming lists: initial events, then the mark of their end :: WAT9* WAT12 WAT13* WAT15 streaming-list-*
    expired versions are an event in a stream :: WAT5
    an end after timeoutSeconds :: watch-timeout
    each event is encoded once for all who watch :: ES28
  `,
  ],
  [
    "Writing",
    `
    409 for a stale version, in PUT and PATCH :: UPD1 UPD12 UPD3
    uid, creationTimestamp and generated names are the server's :: create-fills-metadata create-ignores-system-fields generate-name*
    the generation counts changes of what is wanted :: generation generation-custom
    what changes nothing writes nothing :: update-no-change patch-no-change apply-no-change
    JSON patch and merge patch :: json-patch-* UPD7 UPD10 merge-replaces-lists
    strategic merge patch by the markers of the schema :: strategic-* UPD11
    server-side apply: owners, conflicts, force, removal :: SSA*
    managedFields of updates, patches and subresources :: SSA40 custom-managed-fields SSA3
    status has a door of its own :: status-*
    scale, eviction, binding, ephemeral containers, resize, tokens, approval :: scale-* eviction* binding ephemeral-containers resize token-request certificate-* GRP27*
    dry runs take the whole way and store nothing :: DRY*
    unknown and duplicate fields: Ignore, Warn, Strict :: FLD*
    defaults of built-in kinds :: defaults-*
    rules of built-in kinds :: kind-rules-* found-*
    limits and quotas of namespaces :: limits-* quota-*
    warnings as headers :: FLD4 ES15-deprecated ES14-finalizers
    what objects are warned of, deprecated types :: ES12 DEP11-*
  `,
  ],
  [
    "Deleting",
    `
    finalizers hold an object in two phases :: DEL1* DEL2 DEL4 finalizer-too-late
    preconditions on uid and version :: DEL12 delete-precondition-version
    grace periods of pods :: delete-pod-*
    background, foreground, orphan :: delete-foreground delete-orphan DEL11 gc-*
    deleting a collection, object by object :: delete-collection-* GRP31
    namespaces end with what is in them :: GRP24 namespace-* DEL1-namespace
    garbage collection, when it is switched on :: gc-* ES22
    Deployments, Jobs and others make their pods, when they are switched on :: deployment-* job-* endpoint-slice
  `,
  ],
  [
    "Custom resources",
    `
    definitions are checked, established, and their names may conflict :: ES13*
    schemas: validation, pruning, defaults, ratcheting :: ES14*
    conversion between versions: none, by function, by webhook :: ES15*
    status, scale, columns and selectable fields :: ES10-custom* ES11-custom* TAB9-columns ES14-selectable
    rules in CEL :: CEL2
  `,
  ],
  [
    "The face over HTTP",
    `
    JSON, YAML, protobuf, CBOR, in and out, and what is refused :: ALT*
    gzip: large answers, streaming lists member by member :: ALT27 ALT28
    tables and the metadata view :: TAB* table-* ALT21* ALT22 ALT23
    a Status with reason, details and causes for every refusal :: error-* access-refusals create-bad-name
    discovery, piece by piece and aggregated with an ETag :: discovery-* GRP12 ES19
    OpenAPI v3 by hash, v2 in JSON and protobuf, definitions too :: openapi-* ES19
    health :: HLT*
    users, rights, impersonation, reviews :: access-* GRP23 GRP29 can* rules who-am-i §3.20
    429 with Retry-After :: error-too-many-requests ES25
    logs, exec, attach and port-forward by handlers of the test :: §3.21
  `,
  ],
  [
    "What a real server does not have",
    `
    faults by rule :: ES25
    time that stands still :: ES23
    events that wait until they are let go; a server that says when nothing is pending :: ES24
    a journal of requests :: ES26
    snapshots, forks, dumps :: ES27
    two servers over one store, one behind the other :: ES29
    earlier releases :: ES31 OLD* DEP14
  `,
  ],
  [
    "Programs of others",
    `
    kubectl 1.32: more than a hundred commands print the same :: ES32-kubectl*
    kubectl: logs, exec, port-forward, watches :: §3.32
    client-go 0.37: an informer and a work queue, in JSON and in protobuf :: ES32-client-go
    @kubernetes/client-node 2.0: list, watch, informer, patch :: ES32-client-node
  `,
  ],
];

/** Features that are not emulated, and their substitutes. */
export const notEmulated = [
  [
    "etcd and its failures",
    "state is in memory; `compact()`, faults and a lagging replica stand for what shows through the API",
  ],
  [
    "nodes, kubelets, containers, networks",
    "pods are objects; stages move them, handlers answer for what they say and do",
  ],
  [
    "scheduling",
    "nobody chooses a node; a binding, or the preset `runPods()`, puts a pod onto one",
  ],
  ["admission webhooks and policies", "their objects are kept and nobody is asked"],
  ["CEL", "rules of definitions are kept with a warning, or refused with `enforceCel`"],
  ["aggregated API servers", "an APIService is an object"],
  ["priority and fairness", "its objects are kept; 429 comes from faults"],
  ["storage versions, encryption, audit, authentication by OIDC", "not there"],
  [
    "descriptions in OpenAPI",
    "schemas say what there is, not what it is for; the paths below `/watch/` and those of discovery are not listed",
  ],
];
