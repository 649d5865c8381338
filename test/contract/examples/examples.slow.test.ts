import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../lab/harness/until.ts";
import type { ExampleWorkspace } from "../../../scripts/openapi/scenario/workspace.ts";
import { readEvents } from "../../support/event-reader.ts";
import { differencesOf } from "./compare.ts";
import { type Examples, type ShownRequest, shownRequest, startExamples } from "./example-server.ts";
import { type ShownOperation, shownOperations } from "./walk.ts";

const operations = shownOperations();
/** How many workspaces are made before the first of them is asked for. */
const AHEAD = 8;

// docs/guides/conventions.md#the-openapi-document
describe("An example of the OpenAPI document", () => {
  let examples: Examples;
  let shared: ExampleWorkspace;
  const prepared: Promise<ExampleWorkspace>[] = [];

  beforeAll(async () => {
    examples = await startExamples();
    shared = await examples.workspace();
  });

  afterAll(async () => {
    await Promise.allSettled(prepared);
    await examples?.stop();
  });

  /** A workspace as it was made. Others are made meanwhile, since they wait for what is done in the background. */
  async function fresh(): Promise<ExampleWorkspace> {
    while (prepared.length < AHEAD) {
      const made = examples.workspace();
      made.catch(() => undefined);
      prepared.push(made);
    }
    return (await prepared.shift()) ?? shared;
  }

  const pairs = operations.flatMap((operation) =>
    Object.keys(operation.bodies).map((name): [title: string, name: string, operation: ShownOperation] => [
      `${operation.method} ${operation.template}`,
      name,
      operation,
    ]),
  );

  it.each(pairs)("%s (%s) is answered as the document shows it", async (_, name, operation) => {
    const usesTrash = /\/restore$|\/trash$/.test(operation.template);
    const usesTwins = operation.template.endsWith("/duplicates");
    const workspace = operation.takesKey || usesTrash || usesTwins ? await fresh() : shared;
    if (usesTrash) await fillTrash(workspace, operation);
    if (usesTwins) await examples.addTwins(workspace);
    const headers = operation.takesKey ? { "Idempotency-Key": randomUUID() } : {};
    const request = { ...shownRequest(operation, name), headers };
    const { status, body } = await examples.send(workspace, request);
    expect({ status, body }).toMatchObject({ status: 200 });
    const shown = operation.answers[name] ?? "no example of the answer";
    expect(differencesOf(shown, body, examples.meanings(workspace))).toEqual([]);
    if (operation.takesKey) await expectNotStored(workspace, operation, request);
  });

  /** Deletes what an example restores, or a note for the one that lists the trash. */
  async function fillTrash(workspace: ExampleWorkspace, { method, template }: ShownOperation): Promise<void> {
    const wanted = method === "GET" ? "/v1/notes/{noteId}" : template.replace(/\/restore$/, "");
    const remove = operations.find((one) => one.method === "DELETE" && one.template === wanted);
    if (!remove) throw new Error(`Nothing deletes ${wanted}`);
    const { status } = await examples.send(workspace, shownRequest(remove, Object.keys(remove.bodies)[0] ?? ""));
    expect(status).toBe(200);
  }

  /** The answer to a request whose answer was too large to be kept, which this leaves as such a one does. */
  async function expectNotStored(workspace: ExampleWorkspace, operation: ShownOperation, request: ShownRequest) {
    await examples.server.database.read("update saved_responses set body = null where key = $1", [
      request.headers?.["Idempotency-Key"],
    ]);
    const { answer } = operation.refusals.find(({ name }) => name === "IDEMPOTENCY_RESPONSE_NOT_STORED") ?? {};
    const { body } = await examples.send(workspace, request);
    expect(differencesOf(answer, body, examples.meanings(workspace))).toEqual([]);
  }

  it("is there for every operation, and for each body that is shown there is an answer", () => {
    expect(operations.length).toBeGreaterThan(80);
    for (const { id, bodies, answers } of operations)
      expect([id, Object.keys(answers)]).toEqual([id, Object.keys(bodies)]);
    expect(pairs.length).toBeGreaterThan(operations.length);
  });

  const optional = operations.flatMap((operation) =>
    operation.queryParameters.flatMap(({ name, schema }) =>
      valuesOf(name, schema, operation).map((value): [string, string, string | string[], ShownOperation] => [
        `${operation.method} ${operation.template}`,
        name,
        value,
        operation,
      ]),
    ),
  );

  it.each(optional)("%s takes its parameter %s alone, with the value %j", async (_, name, value, operation) => {
    const [body] = Object.values(operation.bodies);
    const query = { ...operation.requiredQuery, [name]: value };
    const { status, body: answer } = await examples.send(shared, { ...operation, query, body });
    expect({ status, answer }).toMatchObject({ status: 200 });
  });

  it("of a stream is what a stream begins with", async () => {
    const streamed = operations.find(({ stream }) => stream !== undefined);
    const [shownRetry, shownEvent = ""] = streamed?.stream?.split("\n\n") ?? [];
    const query = new URLSearchParams({ types: String(streamed?.query.types), since: shared.madeAt.toISOString() });
    const reader = await readEvents(examples.server, shared.key, `?${query}`);
    const told = await until("it has told an event", () => reader.events()[0]?.told);
    const [retry, ...blocks] = reader.text().split("\n\n");
    reader.close();
    expect(retry).toBe(shownRetry);
    expect(namesIn(blocks.find((block) => block.startsWith("id: ")) ?? "")).toEqual(namesIn(shownEvent));
    const [, data = ""] = shownEvent.split("\ndata: ");
    expect(differencesOf(JSON.parse(data), told, examples.meanings(shared))).toEqual([]);
  });
});

/** The names of the lines of an event of a stream. */
function namesIn(event: string): string[] {
  return event.split("\n").map((line) => line.slice(0, line.indexOf(":")));
}

/** The examples of a parameter, and the values that its schema names. */
function valuesOf(
  name: string,
  { enum: words = [], default: standard, items, examples = [] }: Record<string, unknown>,
  { query }: ShownOperation,
): (string | string[])[] {
  const ofItems = ((items ?? {}) as { enum?: string[] }).enum ?? [];
  const all = [query[name], standard, ...(words as string[]), ...(examples as string[]), ...ofItems.slice(0, 3)];
  const texts = all.filter((value) => value !== undefined && value !== null);
  return texts.map((value) => (Array.isArray(value) ? value.map(String) : String(value)));
}
