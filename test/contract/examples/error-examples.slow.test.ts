import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ErrorCode } from "../../../base/contract/errors.ts";
import { type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { BODY_BYTES_MAX } from "../../../config/limits.ts";
import { lockOf } from "../../../engine/idempotency/run-once.ts";
import { until } from "../../../lab/harness/until.ts";
import { exampleRequests } from "../../../scripts/openapi/document.ts";
import { readErrorTexts } from "../../../scripts/openapi/error-texts.ts";
import { loadOperations } from "../../../scripts/openapi/operations.ts";
import { type Fault, faultsOf } from "../../../scripts/openapi/scenario/faults.ts";
import { exampleId } from "../../../scripts/openapi/scenario/ids.ts";
import type { ExampleWorkspace } from "../../../scripts/openapi/scenario/workspace.ts";
import { type Answer, client } from "../../support/client.ts";
import { whileHeld } from "../../support/locked-row.ts";
import { differencesOf } from "./compare.ts";
import { type Examples, type ShownRequest, sendShown, shownRequest, startExamples } from "./example-server.ts";
import { brokenServer, limitedServer, type SpecialServer, serverWithout } from "./special-servers.ts";
import { type ShownOperation, shownOperations } from "./walk.ts";

/** The example of an error of an operation. */
interface ErrorExample {
  operation: ShownOperation;
  status: number;
  answer: unknown;
}

/**
 * The one needs a request that has run, as those of examples.test.ts have. The other names the present version, and is
 * caused by test/http/versions.test.ts.
 */
const CAUSED_ELSEWHERE = ["IDEMPOTENCY_RESPONSE_NOT_STORED", "PRECONDITION_FAILED"];

const operations = shownOperations();
const byName = new Map<string, ErrorExample[]>();
for (const operation of operations)
  for (const { name, ...example } of operation.refusals)
    byName.set(name, [...(byName.get(name) ?? []), { operation, ...example }]);

// Every example of every operation is caused anew, however many operations share it. docs/guides/errors.md#codes
describe("An example of an error in the OpenAPI document is what the server answers", () => {
  let examples: Examples;
  let workspace: ExampleWorkspace;
  let faults: Map<string, Fault[]>;
  const caused = new Set<string>();

  beforeAll(async () => {
    examples = await startExamples();
    workspace = await examples.workspace();
    const declared = await loadOperations();
    const requests = exampleRequests(declared);
    faults = new Map(
      declared.map((operation) => {
        const request = requests.get(operation.id);
        return [operation.id, request ? faultsOf(operation, request) : []];
      }),
    );
  });

  afterAll(() => examples?.stop());

  const requestOf = (operation: ShownOperation) => shownRequest(operation, Object.keys(operation.bodies)[0] ?? "");

  /** Sends what causes an example to each operation that has it, and compares the answers. */
  async function compare(
    name: string,
    cause: (operation: ShownOperation, request: ShownRequest) => Promise<Answer>,
  ): Promise<number> {
    const found = byName.get(name) ?? [];
    const differences: unknown[] = [];
    for (const { operation, status, answer } of found) {
      const answered = await cause(operation, requestOf(operation));
      const different = differencesOf(answer, answered.body, examples.meanings(workspace));
      if (answered.status !== status || different.length > 0)
        differences.push([operation.id, answered.status, answered.text, different]);
    }
    // A few are enough to tell what is wrong.
    expect(differences.slice(0, 3)).toEqual([]);
    caused.add(name);
    return found.length;
  }

  const send = (request: ShownRequest) => examples.send(workspace, request);
  const on = ({ server, key }: SpecialServer, request: ShownRequest) =>
    sendShown(client(server, key), workspace.toReal, request);

  const declared = [...byName.keys()].filter((name) => !/^[A-Z_]+$/.test(name) || name === "UNPROCESSABLE_ENTITY");

  it.each(declared)("to the declared fault %s", async (name) => {
    const compared = await compare(name, (operation, { method, template }) => {
      const { status } = operation.refusals.find((refusal) => refusal.name === name) ?? {};
      const fault = faults.get(operation.id)?.find((one) => one.name === name && one.status === status);
      if (!fault) throw new Error(`Nothing causes ${name} of ${operation.id}.`);
      return send({ method, template, ...fault.request });
    });
    expect(compared).toBeGreaterThan(0);
  });

  const asSent: [name: string, change: (request: ShownRequest) => ShownRequest][] = [
    ["INVALID_REQUEST", (request) => ({ ...request, body: "Hello", headers: { "Content-Type": "text/plain" } })],
    ["IDEMPOTENCY_KEY_INVALID", (request) => ({ ...request, headers: { "Idempotency-Key": "two words" } })],
    ["UNAUTHORIZED", (request) => ({ ...request, headers: { Authorization: undefined } })],
    ["PAYLOAD_TOO_LARGE", (request) => ({ ...request, body: Buffer.alloc(BODY_BYTES_MAX + 1, " ") })],
  ];

  it.each(asSent)("%s", async (name, change) => {
    expect(await compare(name, (_, request) => send(change(request)))).toBeGreaterThan(30);
  });

  it("FORBIDDEN to a read key", async () => {
    const reader = { ...workspace, key: workspace.readKey };
    expect(await compare("FORBIDDEN", (_, request) => examples.send(reader, request))).toBeGreaterThan(30);
  });

  it("IDEMPOTENCY_REQUEST_IN_PROGRESS while a request with the key holds its claim", async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    const claim = { key: headers["Idempotency-Key"], fingerprint: "", requestId: "", publicUrl: "", ttlS: 60 };
    const lock = lockOf({ ...(await identity()), claim });
    await whileHeld(examples.server.database, `select pg_advisory_xact_lock(${lock})`, () =>
      compare("IDEMPOTENCY_REQUEST_IN_PROGRESS", (_, request) => send({ ...request, headers })),
    );
  });

  it("IDEMPOTENCY_KEY_REUSED to the key of another request", async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    await send({ method: "POST", template: "/v1/people", path: {}, query: {}, body: {}, headers });
    await compare("IDEMPOTENCY_KEY_REUSED", (_, request) => send({ ...request, headers }));
  });

  it("TOO_MANY_REQUESTS when a window is full", () =>
    using(limitedServer(), async (limited) => {
      await compare("TOO_MANY_REQUESTS", (_, request) =>
        // On a busy machine the window may end before the request comes. Then a new user fills another window.
        until("a window is full", async () => {
          const answer = await on({ ...limited, key: await limited.exhausted() }, request);
          return answer.status === 429 && answer;
        }),
      );
    }));

  it("INTERNAL_SERVER_ERROR when something unforeseen happens", () =>
    using(brokenServer(), async (server) => {
      await compare("INTERNAL_SERVER_ERROR", (_, request) => on(server, request));
    }));

  it("SERVICE_UNAVAILABLE when the services are away", () =>
    using(
      serverWithout((folder) => folder !== "gateway"),
      async (server) => {
        await compare("SERVICE_UNAVAILABLE", (_, request) => on(server, request));
      },
    ));

  it("IDEMPOTENCY_UNAVAILABLE when saved responses cannot be looked up", () =>
    using(
      serverWithout((folder) => folder === "idempotency"),
      async (server) => {
        const headers = { "Idempotency-Key": randomUUID() };
        await compare("IDEMPOTENCY_UNAVAILABLE", (_, request) => on(server, { ...request, headers }));
      },
    ));

  // What the document shows by these codes the operations have answered themselves, which are other examples.
  it.each<[code: ErrorCode, request: Partial<ShownRequest>]>([
    ["RESOURCE_NOT_FOUND", { template: `/v1/people/${exampleId("person")}` }],
    [
      "NOT_FOUND",
      { method: "POST", template: "/v1/people/batch/delete", body: { records: [{ id: exampleId("person") }] } },
    ],
    ["METHOD_NOT_ALLOWED", { method: "PUT", template: "/v1/people" }],
    ["UNPROCESSABLE_ENTITY", { method: "POST", template: "/v1/people", body: { jobTitle: "x".repeat(501) } }],
  ])("%s on the page of errors", async (code, request) => {
    const api = client(examples.server, workspace.key);
    const { body } = await sendShown(api, (text) => text, {
      method: "GET",
      template: "",
      path: {},
      query: {},
      ...request,
    });
    const { error, data } = body as { error?: object; data?: { results: { error: object }[] } };
    expect(error ?? data?.results[0]?.error).toMatchObject({ code, ...readErrorTexts()[code].example });
  });

  it("for every example that there is", () => {
    expect([...caused, ...CAUSED_ELSEWHERE].sort()).toEqual([...byName.keys()].sort());
    const total = [...byName.values()].reduce((sum, found) => sum + found.length, 0);
    expect(total).toBeGreaterThan(800);
  });

  async function identity(): Promise<{ workspaceId: Uuid; userId: Uuid }> {
    const [row] = await examples.server.database.read<{ workspaceId: Uuid; userId: Uuid }>(
      `select workspace_id as "workspaceId", id as "userId" from users where id = $1`,
      [uuidOf("user", workspace.ids.toReal(exampleId("user")))],
    );
    if (!row) throw new Error("There is no such user.");
    return row;
  }
});

async function using<Special extends SpecialServer>(
  starting: Promise<Special>,
  work: (server: Special) => Promise<void>,
): Promise<void> {
  const server = await starting;
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}
