import { NOBODYS_URL } from "contact-workspace-pages/document";
import pLimit from "p-limit";
import type { Operation } from "../operations.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { EXAMPLE_REQUEST_ID, EXAMPLE_TIME, exampleUuid } from "./ids.ts";
import { EXAMPLE_TARGET } from "./outside.ts";
import type { ExampleRequest } from "./requests.ts";
import { send } from "./send.ts";
import { type ExampleServer, type ExampleWorkspace, makeExampleWorkspace, makeTwins } from "./workspace.ts";

/** Answers to the examples of an operation. */
export interface RecordedAnswers {
  /** Name of an example → the answer 200. */
  answers: Record<string, unknown>;
  /** Status → name of an example → the answer. */
  refusals: Record<string, Record<string, unknown>>;
}

/** Operation id → answers of its examples. */
export type Recording = Record<string, RecordedAnswers>;

/** Texts of a server that are new each time → texts in examples. */
const CONSTANTS: [RegExp, string][] = [
  [/"whsec_[A-Za-z0-9+/=]+"/g, '"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDb0VYkQQ2ZWE="'],
  [/"whsec_[A-Za-z0-9+/=]{2}\*+[A-Za-z0-9+/=]{4}"/g, '"whsec_C2**********************ZWE="'],
  [/"requestId":"[^"]+"/g, `"requestId":"${EXAMPLE_REQUEST_ID}"`],
  [/"cursor":"[^"]+"/g, '"cursor":"c2VhbGVkIGN1cnNvcg"'],
  [/"durationMs":[\d.]+/g, '"durationMs":84'],
  [/"etag":"\\"[0-9a-f]{32}-(\d+)\\""/g, `"etag":"\\"${exampleUuid().replaceAll("-", "")}-$1\\""`],
];
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SOON_MS = 60_000;

/** Number of workspaces made at once. Most of the time each waits for background work. */
const TOGETHER = 12;

/**
 * Sends the examples of all operations to a server and gives what it answers, with ids, times and secrets as examples
 * have them. A request that changes something is sent to a workspace of its own, so that each answer is about the
 * workspace as it was made.
 * @throws Error when an example is not answered with 200, or a fault with another status than its own
 */
export async function record(
  server: ExampleServer,
  operations: Operation[],
  requests: ReadonlyMap<string, ExampleRequest>,
): Promise<Recording> {
  const workspace = () => makeExampleWorkspace(server, (id) => fullestBody(requests.get(id)));
  const together = pLimit(TOGETHER);
  /** A workspace in which a note was deleted. */
  const withTrash = async () => {
    const own = await workspace();
    const remove = operations.find(({ route }) => route.action === "notes.remove");
    if (remove) await ask(server, own, remove, 200, { ...NOTHING, ...requests.get(remove.id), body: undefined });
    return own;
  };
  /** A workspace with a pair of people and one of companies. */
  const withTwins = async () => {
    const own = await workspace();
    await makeTwins(server, own);
    return own;
  };
  const shared = await workspace();
  const recording: Recording = {};
  // Reads run one after the other, so that they show new ids always in the same order.
  for (const operation of operations) {
    const request = requests.get(operation.id) ?? NOTHING;
    const apart = operation.route.action === "trash.list" ? withTrash : withTwins;
    const read = async () => (/^trash[.]list|[.]duplicates$/.test(operation.route.action) ? await apart() : shared);
    const answers = operation.isWrite ? {} : await answersOf(server, read, operation, request);
    recording[operation.id] = { answers, refusals: await refusalsOf(server, shared, operation, request) };
  }
  const writes = operations.filter(({ isWrite }) => isWrite);
  const answered = writes.map((operation) =>
    together(() => answersOf(server, workspace, operation, requests.get(operation.id) ?? NOTHING)),
  );
  for (const [i, answers] of (await Promise.all(answered)).entries())
    Object.assign(recording[writes[i]?.id ?? ""] ?? {}, { answers });
  return recording;
}

const NOTHING: ExampleRequest = { path: {}, query: {}, bodies: {} };

/** The last body of an example, which has the most in it. */
export function fullestBody(request = NOTHING): Record<string, unknown> {
  return Object.values(request.bodies).at(-1) as Record<string, unknown>;
}

async function answersOf(
  server: ExampleServer,
  workspace: () => Promise<ExampleWorkspace>,
  operation: Operation,
  { bodies, ...request }: ExampleRequest,
): Promise<RecordedAnswers["answers"]> {
  const answers: RecordedAnswers["answers"] = {};
  for (const [name, body] of Object.entries(bodies)) {
    const own = await workspace();
    if (operation.route.action.endsWith(".restore")) await remove(server, own, operation, request);
    answers[name] = await ask(server, own, operation, 200, { ...request, body });
  }
  return answers;
}

/** Deletes the thing that an example restores. */
function remove(
  server: ExampleServer,
  workspace: ExampleWorkspace,
  { route, ...operation }: Operation,
  request: Omit<ExampleRequest, "bodies">,
): Promise<unknown> {
  const path = route.path.replace(/\/restore$/, "");
  return ask(server, workspace, { ...operation, route: { ...route, method: "DELETE", path } }, 200, {
    ...request,
    body: undefined,
  });
}

async function refusalsOf(
  server: ExampleServer,
  workspace: ExampleWorkspace,
  operation: Operation,
  request: ExampleRequest,
): Promise<RecordedAnswers["refusals"]> {
  const refusals: RecordedAnswers["refusals"] = {};
  for (const { status, name, request: faulty } of faultsOf(operation, request)) {
    const answer = await ask(server, workspace, operation, status, faulty);
    refusals[status] = { ...refusals[status], [name]: answer };
  }
  return refusals;
}

async function ask(
  server: ExampleServer,
  { key, ids, toReal, madeAt }: ExampleWorkspace,
  { route }: Operation,
  status: number,
  { path, query, headers, body }: Fault["request"],
): Promise<unknown> {
  const { status: answered, text } = await send({
    method: route.method,
    url: server.base + toReal(targetOf(route.path, { path, query })),
    key,
    headers,
    body: body === undefined ? undefined : toReal(JSON.stringify(body)),
  });
  if (answered !== status)
    throw new Error(`${route.method} ${route.path} ${JSON.stringify(body)} is ${answered}: ${text}`);
  let shown = ids.toExample(text).replaceAll(server.publicUrl, NOBODYS_URL);
  shown = shown.replaceAll(server.outside.target, EXAMPLE_TARGET).replaceAll(INSTANT, (instant) => {
    const ms = Date.parse(instant);
    return ms >= madeAt.getTime() - SOON_MS && ms <= Date.now() + SOON_MS ? EXAMPLE_TIME : instant;
  });
  for (const [pattern, constant] of CONSTANTS) shown = shown.replaceAll(pattern, constant);
  return JSON.parse(shown);
}

/** The path of an example with its parameters. */
export function targetOf(template: string, { path, query }: Pick<ExampleRequest, "path" | "query">): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one);
  return search.size > 0 ? `${filled}?${search}` : filled;
}
