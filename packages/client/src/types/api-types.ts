// The API types that the client's signatures use.
export type {
  KubeList,
  KubeObject,
  Live,
  SubresourceDescriptor,
  SubresourceDescriptors,
  Verb,
} from "@typekube/api";
export type {
  ListMeta,
  PartialObjectMetadata,
  TableColumnDefinition,
  TableRowCondition,
} from "@typekube/api/meta/v1";
