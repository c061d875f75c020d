import type { JsonObject } from "../objects/json-value.js";

/** Converts objects of a custom resource between its versions. */
export interface Converter {
  /** Converts synchronously; absent when a webhook or function must be called. */
  readonly now?: (object: JsonObject, toApiVersion: string) => JsonObject;
  /** Converts several objects, in order; rejects with the reason that the server reports. */
  convert(objects: readonly JsonObject[], toApiVersion: string): Promise<readonly JsonObject[]>;
}

/** Converts an object of a custom resource in process, instead of a webhook. */
export type ConversionFunction = (
  object: JsonObject,
  toApiVersion: string,
) => JsonObject | Promise<JsonObject>;

/** The strategy `None`: changes only the apiVersion. */
export const renamingConverter: Converter = {
  now: (object, apiVersion) => ({ ...object, apiVersion }),
  convert: async (objects, apiVersion) => objects.map((object) => ({ ...object, apiVersion })),
};

/** Creates a converter that calls a function with a copy of each object. */
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
