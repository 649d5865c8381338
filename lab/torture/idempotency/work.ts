import type { Work } from "./history.ts";

/** Records that the work names; they are there before it begins. */
export interface Surroundings {
  companyId: string;
  /** The name of another company. */
  takenName: string;
}

type Request = Pick<Work, "kind" | "method" | "path" | "status" | "people"> & { body: object };

const BATCH_PEOPLE = 3;
const NOBODY = "com_00000000-0000-7000-8000-000000000000";

/**
 * As many requests as asked for, each with a key of its own: creates, batches, and some that fail by a rule, whose
 * answers are decided while they run and so are saved as those of a success are.
 */
export function drawWork(count: number, prefix: string, random: () => number, around: Surroundings): Work[] {
  return Array.from({ length: count }, (_, i) => {
    const key = `${prefix}-${i}`;
    const { body, ...request } = draw(key, random(), around);
    return { key, ...request, body: JSON.stringify(body) };
  });
}

function draw(key: string, share: number, { companyId, takenName }: Surroundings): Request {
  if (share < 0.7) return post("create", "/v1/people", { firstName: key }, 200, 1);
  if (share < 0.8) {
    const records = Array.from({ length: BATCH_PEOPLE }, () => ({ firstName: key }));
    return post("batch", "/v1/people/batch/create", { records }, 200, BATCH_PEOPLE);
  }
  if (share < 0.9)
    return post("link to nothing", "/v1/people", { firstName: key, companies: [{ id: NOBODY }] }, 422, 0);
  const rename = post("taken name", `/v1/companies/${companyId}`, { name: takenName }, 422, 0);
  return { ...rename, method: "PATCH" };
}

function post(kind: string, path: string, body: object, status: Work["status"], people: number): Request {
  return { kind, method: "POST", path, body, status, people };
}
