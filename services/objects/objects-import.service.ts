import type { ServiceSchema } from "moleculer";
import { importAction } from "../../actions/import-action.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import { nameRecognition } from "../../lib/records/import.ts";
import { objects } from "../../lib/resources/objects.ts";
import { storeOf } from "../../lib/store/store.ts";
import { byGroupAndType } from "./objects.scoping.ts";

/** Writes rows of files as objects. Only the command line calls this; no route leads here. docs/guides/import.md#importing-deals-and-other-objects */
export default function objectsImportService(context: ServiceContext): ServiceSchema {
  const records = { resource: objects, store: storeOf(context.database), scoping: byGroupAndType };
  return {
    name: "objects-import",
    actions: { write: importAction(records, nameRecognition) },
  };
}
