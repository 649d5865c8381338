import type { ServiceSchema } from "moleculer";
import { nameRecognition } from "../../engine/records/import.ts";
import { storeOf } from "../../engine/store/store.ts";
import { byGroupAndType } from "../../mixins/by-group-and-type.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { importAction } from "../../mixins/import-action.ts";
import { objects } from "../../model/resources/objects.ts";

/**
 * Writes rows of files as objects. Only the command line calls this; no route leads here.
 * docs/guides/import.md#importing-deals-and-other-objects
 */
export default function objectsImportService(context: ServiceContext): ServiceSchema {
  const records = { resource: objects, store: storeOf(context.database), kept: context.env, scoping: byGroupAndType };
  return {
    name: "objects-import",
    actions: { write: importAction(records, nameRecognition) },
  };
}
