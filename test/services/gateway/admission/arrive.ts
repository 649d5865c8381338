import { type Admission, FULL, type RequestSlot } from "../../../../services/gateway/admission/admission.ts";

/** A place, and what ends the work that it is held for. */
export type Held = RequestSlot & { leave(): Promise<void> };

/**
 * Begins work that goes on until it is told to leave, of this workspace.
 * @throws ApiError when there is no place
 */
export function arrive(admission: Admission, workspaceId = "one"): Held {
  const { promise, resolve } = Promise.withResolvers<void>();
  let place: RequestSlot | undefined;
  const served = admission.serve((given) => {
    place = given;
    return promise;
  });
  served.catch(() => undefined);
  if (!place) throw FULL;
  place.belongTo(workspaceId);
  return {
    ...place,
    leave() {
      resolve();
      return served;
    },
  };
}
