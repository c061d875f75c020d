// The requirements on a client and a server of the API, in a few words each. `api-coverage.mjs` finds the tests that
// carry an ID.

/** Sections: title, and rows of an ID (or a range of IDs) and its description. */
export const parts = [
  [
    "Groups, versions, paths, verbs, names",
    `
    GRP1 the same object in every encoding
    GRP2 alpha versions are off; a version that is not served is named in the error
    GRP3 beta versions are off
    GRP4 served beta versions have a known end
    GRP5 no warning for stable versions
    GRP6 paths of the core group
    GRP7 paths of named groups
    GRP8 a body that contradicts its path is rejected
    GRP9 syntax of runtimeConfig
    GRP10 groups that appear after a restart are found
    GRP11 no kind is assumed to be served
    GRP12 descriptors equal discovery
    GRP13 kinds that represent an operation
    GRP14 names are unique per kind and namespace
    GRP15 a reused name is another object
    GRP16 creates that are safe to retry
    GRP17 verbs in lower case, as the API spells them
    GRP18 a GET as list, get or watch
    GRP19 a PUT that creates
    GRP20 a PATCH that creates
    GRP21 scope decides the path
    GRP22 all namespaces: list and watch only
    GRP23 permissions per namespace
    GRP24 deleting a namespace deletes its contents
    GRP25 paths of namespaces themselves
    GRP26 paths as documented
    GRP27 subresources and their verbs
    GRP28 no subresource of a collection
    GRP29 permissions per subresource
    GRP30 many objects: a series of requests, one result each
    GRP31 deleting a collection is not atomic
    GRP32 every failure among many objects is kept
    GRP33 all state is API objects
  `,
  ],
  [
    "Watches",
    `
    WAT1 no change is missed between a list and its watch
    WAT2 events split anywhere between chunks
    WAT3 event types, including unknown ones
    WAT4 a broken watch resumes from the last resourceVersion
    WAT5 expired history (410)
    WAT6 watching one object
    WAT7 bookmarks contain a resourceVersion only
    WAT8 bookmarks are requested, and may never arrive
    WAT9 streaming list: existing objects as events, then a bookmark
    WAT10 initial events require resourceVersionMatch
    WAT11 invalid combinations of watch parameters
    WAT12 initial events without a resourceVersion show the newest state
    WAT13 initial events not older than a resourceVersion
    WAT14 initial events do not advance the resourceVersion
    WAT15 annotation of the end bookmark
    WAT16 servers without initial events
    WAT17 a future resourceVersion
    WAT18 list-then-watch is public
    WAT19 an event does not reveal the verb of its write
    WAT20 limits and tables on a watch
    WAT21 the same events in each encoding
  `,
  ],
  [
    "Pages and collections",
    `
    CHK1 a page and its continue token
    CHK2 later pages keep the selectors
    CHK3 both forms of the last page
    CHK4 all pages show one snapshot
    CHK5 an expired continue token
    CHK6 remaining counts of the documented example
    CHK7 the remaining count is an estimate
    CHK8 pages smaller than the limit
    CHK9 continue tokens are opaque
    CHK10 memory of one page at a time
    CHK11 servers that ignore limits
    CHK12 list kinds
    CHK13 items get kind and apiVersion
    CHK14 kubectl's List
    CHK15 encodings that are built whole are avoided for large lists
    CHK16 negative limits
  `,
  ],
  [
    "Tables",
    `
    TAB1 a table and its parts
    TAB2 the kind of the body distinguishes tables from lists
    TAB3 kinds without columns
    TAB4 objects from servers without tables
    TAB5 406 when only a table is accepted
    TAB6 the v1beta1 form
    TAB7 tables in JSON and YAML only
    TAB8 tables are for people, not for programs
    TAB9 tables of any kind
  `,
  ],
  [
    "Encodings and views",
    `
    ALT1 four encodings
    ALT2 their media types
    ALT3 the response's Content-Type decides
    ALT4 nothing acceptable (406)
    ALT5 errors in each encoding
    ALT6 bodies of unsupported types
    ALT7 request and response encodings are independent
    ALT8 success codes
    ALT9 YAML in both directions
    ALT10 scalars of YAML 1.1
    ALT11 the protobuf envelope
    ALT12 its content fields
    ALT13 other prefixes are rejected
    ALT14 kind and apiVersion in the envelope
    ALT15 JSON as the second choice
    ALT16 kinds without protobuf are remembered
    ALT17 CBOR only after the server has used it
    ALT18 one CBOR item per body
    ALT19 watches in CBOR
    ALT20 patches in CBOR
    ALT21 metadata in each encoding
    ALT22 the metadata view
    ALT23 the metadata view of lists has another name
    ALT24 servers without the metadata view
    ALT25 order of preference in Accept
    ALT26 metadata in protobuf
    ALT27 gzip
    ALT28 responses without gzip
    ALT29 indented JSON is not requested
  `,
  ],
  [
    "Updates and patches",
    `
    UPD1 replacing the object that was read
    UPD2 replacing without a resourceVersion
    UPD3 conflicts and retries
    UPD4 unknown fields survive
    UPD5 choice between update and patch
    UPD6 kinds of patches
    UPD7 JSON patch operations and tests
    UPD8 patches computed from two objects
    UPD9 a counter without reading first
    UPD10 merge patches
    UPD11 strategic merge patches for built-in kinds only
    UPD12 patches with a resourceVersion as precondition
    UPD13 patches of a missing object
    UPD14 patches are retried on errors
    UPD15 If-Match has no effect
  `,
  ],
  [
    "Deletes",
    `
    DEL1 two phases of a deletion
    DEL2 finalizers in any order
    DEL3 removing one's own finalizer
    DEL4 removing the last finalizer deletes the object
    DEL5 unsafe deletes of unreadable objects
    DEL6 unsafe deletes try a normal delete first
    DEL7 unsafe deletes exclude other options
    DEL8 unsafe deletes of readable objects are rejected
    DEL9 permissions for unsafe deletes
    DEL10 no unsafe deletes of collections
    DEL11 propagation to dependents
    DEL12 precondition on the UID
  `,
  ],
  [
    "Dry runs",
    `
    DRY1 dry run of every write
    DRY2 values of dryRun
    DRY3 dry-run deletes set it in the body
    DRY4 everything except storing
    DRY5 responses as of the real request
    DRY6 no side effects remain
    DRY7 webhooks with side effects
    DRY8 values that differ between runs
    DRY9 the same permissions
    DRY10 servers without dry run
  `,
  ],
  [
    "Server-side apply",
    `
    SSA1 media type of an apply
    SSA2 field managers are required
    SSA3 field managers of other writes
    SSA4 partial objects
    SSA5 kind, apiVersion and name in the body
    SSA6 applying an empty object
    SSA7 created or merged
    SSA8 conflicts
    SSA9 forcing ownership
    SSA10 omitting fields
    SSA11 sharing values
    SSA12 changing a shared value
    SSA13 leaving a shared field
    SSA14 a field without an owner is removed
    SSA15 other writes take ownership
    SSA16 entries of managedFields
    SSA17 an apply must not contain managedFields
    SSA18 managedFields in an update
    SSA19 resetting managedFields
    SSA20 empty managedFields
    SSA21 resetting together with other changes
    SSA22 unknown fields
    SSA23 unusual characters
    SSA24 large numbers
    SSA25 rules of merging
    SSA26 list types
    SSA27 duplicates in sets
    SSA28 keys of list maps
    SSA29 atomic maps
    SSA30 lists with a merge key
    SSA31 lists of custom resources
    SSA32 lists that become atomic
    SSA33 lists that stop being atomic
    SSA34 controllers force
    SSA35 fields that were never applied
    SSA36 resourceVersion as a precondition
    SSA37 handing a field over to a controller
    SSA38 handing over between appliers
    SSA39 objects that cannot be applied
    SSA40 managers of subresources
    SSA41 migration from client-side apply
    SSA42 managers across versions
    SSA43 output for people hides managedFields
    SSA44 servers without apply
  `,
  ],
  [
    "Field validation",
    `
    FLD1 types are always checked
    FLD2 only three values of fieldValidation
    FLD3 Ignore
    FLD4 Warn
    FLD5 Strict
    FLD6 Strict on patches
    FLD7 several problems at once
    FLD8 dropped input
    FLD9 duplicates in YAML
    FLD10 the server's default applies
    FLD11 kubectl's values of --validate
    FLD12 servers without field validation
  `,
  ],
  [
    "Resource versions",
    `
    RV1 a string, sent back unchanged
    RV2 order within one resource
    RV3 comparison rule
    RV4 values that cannot be compared
    RV5 resourceVersions that are not decimal
    RV6 servers without an order
    RV7 resourceVersions of lists and of items
    RV8 parameters per verb
    RV9 get: unset, 0, and N
    RV10 get has no match
    RV11 lists without a match
    RV12 limited lists without a match
    RV13 lists with a continue token
    RV14-RV18 matches
    RV19 servers that ignore the match
    RV20 relists not older than the known resourceVersion
    RV21 any: may be older than before, but caches do not go back
    RV22 most recent
    RV23 not older than
    RV24 exact, or 410
    RV25 lifetime of old states on the server
    RV26 pages whose state is gone
    RV27 paged NotOlderThan, and 410
    RV28 exact lists answered with another resourceVersion
    RV29 start of a watch
    RV30 watches that go back
    RV31 watches without a resourceVersion
    RV32 410 on every verb
    RV33 future resourceVersions
    RV34 resourceVersions that the server rejects as not numeric
  `,
  ],
  [
    "Libraries",
    `
    CLI1 typed calls for each kind
    CLI2 credentials from kubeconfig and service account
    CLI3 other libraries
  `,
  ],
  [
    "Expressions and declared rules",
    `
    CEL1-CEL12,CEL20-CEL35,CEL40-CEL54,CEL60-CEL66 expressions
    VAL1-VAL27 rules declared on types
  `,
  ],
  [
    "Deprecation",
    `
    DEP1 order of versions
    DEP2 scope of the policy
    DEP3 no field leaves a version
    DEP4 lossless conversion between versions
    DEP5 replacements are never less stable
    DEP6 end of versions
    DEP7 the preferred version
    DEP8 one client across many releases
    DEP9 stored versions stay readable
    DEP10 deprecated fields
    DEP11 deprecation warnings
    DEP12 commands
    DEP13 behaviour of packages
    DEP14 feature gates
    DEP15 metrics
  `,
  ],
  [
    "Removed versions",
    `
    MIG1-MIG34 each removed version, and its replacement
    MIG40 calling a removed version
    MIG41 disabling a version in advance
    MIG42 finding users of a version
    MIG43 finding manifests that use a version
  `,
  ],
  [
    "Health",
    `
    HLT1 endpoints
    HLT2 only the status code counts
    HLT3 live and ready
    HLT4 verbose output is for people
    HLT5 excluded checks
    HLT6 single checks
    HLT7 shutting down
    HLT8 missing permissions
  `,
  ],
  [
    "Older servers",
    `
    OLD1 resourceVersions without an order
    OLD2 ignored parameters
    OLD3 no initial events
    OLD4 source of old states
    OLD5 encodings
    OLD6 permissions of an apply
    OLD7 410 for one object
    OLD8 unsafe deletes
    OLD9 no warnings
    OLD10 beta versions that are on
    OLD11 kinds without watch
    OLD12 selfLink
    OLD13 smaller differences, in other rows
  `,
  ],
  [
    "Features by release",
    `
    GAT1-GAT16 stages of features
  `,
  ],
];

/** Reasons why a row, or a range of rows, has no test yet. */
export const reasons = {
  "CEL1-CEL66":
    "the language as a whole is compared with cel-spec and with Kubernetes' own packages: docs/decisions/0030-cel.md",
  "VAL8,VAL11,VAL13,VAL14,VAL18,VAL22,VAL25": "no built-in type of 1.37 has such a rule enabled",
  MIG43:
    "line reports come with manifest checks, which do not exist yet; their content is tested for each version above",
  FLD11: "values for a command that checks manifests, which does not exist yet",
  CLI3: "nothing to test: a list of other libraries",
  DEP2: "there are no constants of earlier releases to compare with; the next row compares fields",
  DEP12: "no command is deprecated",
  DEP13: "the packages have not been released yet",
  DEP15: "controller metrics come with a controller library",
};
