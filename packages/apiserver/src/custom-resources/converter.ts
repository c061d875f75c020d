import type { JsonObject } from "../store/json-value.js";

/** Brings objects of a custom resource into another of its versions. */
export interface Converter {
  /** Converts at once; absent where somebody has to be asked. */
  readonly now?: (object: JsonObject, toApiVersion: string) => JsonObject;
  /** Converts several objects, in their order; rejects with the reason that the server tells. */
  convert(objects: readonly JsonObject[], toApiVersion: string): Promise<readonly JsonObject[]>;
}

/** Converts an object of a custom resource inside the process, instead of a webhook. */
export type ConversionFunction = (
  object: JsonObject,
  toApiVersion: string,
) => JsonObject | Promise<JsonObject>;

/** The strategy `None`: only the version is written anew. */
export const renamingConverter: Converter = {
  now: (object, apiVersion) => ({ ...object, apiVersion }),
  convert: async (objects, apiVersion) => objects.map((object) => ({ ...object, apiVersion })),
};

/** A converter over a function. It gets a copy to work on. */
export function functionConverter(convert: ConversionFunction): Converter {
  return {
    convert: async (objects, toApiVersion) => {
      const converted: JsonObject[] = [];
      for (const object of objects) {
        converted.push(await convert(structuredClone(object), toApiVersion));
      }
      return converted;
    },
  };
}
