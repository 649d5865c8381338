import { expect, it } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client2503 } from "mcp-sdk-2025-03-26/client/index.js";
import { StreamableHTTPClientTransport as Transport2503 } from "mcp-sdk-2025-03-26/client/streamableHttp.js";
import { Client as Client2506 } from "mcp-sdk-2025-06-18/client/index.js";
import { StreamableHTTPClientTransport as Transport2506 } from "mcp-sdk-2025-06-18/client/streamableHttp.js";
import { Client as Client2511 } from "mcp-sdk-2025-11-25/client/index.js";
import { StreamableHTTPClientTransport as Transport2511 } from "mcp-sdk-2025-11-25/client/streamableHttp.js";
import { tools } from "../../../../services/gateway/mcp/tools.ts";
import { describeServer } from "../../../support/scene.ts";

interface Called {
  isError?: unknown;
  structuredContent?: unknown;
  _meta?: unknown;
}

/** As much of a client as all of the SDKs have. */
interface Speaker {
  connect(): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Called>;
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

type Connect = (url: URL, requestInit: RequestInit) => Speaker;

const NAME = { name: "test", version: "1" };

/** A client of the official SDK that connects over a transport of the same SDK. */
function speaker<Transport>(
  client: Omit<Speaker, "connect"> & { connect(to: Transport): Promise<void> },
  to: Transport,
) {
  return {
    connect: () => client.connect(to),
    listTools: () => client.listTools(),
    callTool: (call) => client.callTool(call),
    getServerVersion: () => client.getServerVersion(),
    getInstructions: () => client.getInstructions(),
    close: () => client.close(),
  } satisfies Speaker;
}

const newest =
  (mode: "legacy" | "auto" | { pin: string }): Connect =>
  (url, requestInit) =>
    speaker(
      new Client(NAME, { versionNegotiation: { mode } }),
      new StreamableHTTPClientTransport(url, { requestInit }),
    );

const CLIENTS: [sdk: string, connect: Connect, revision: string][] = [
  ["2.4, which asks for the newest revision", newest("auto"), "2026-07-28"],
  ["2.4, which takes only the newest revision", newest({ pin: "2026-07-28" }), "2026-07-28"],
  ["2.4, which greets as those before", newest("legacy"), "2025-11-25"],
  [
    "1.32",
    (url, requestInit) => speaker(new Client2511(NAME), new Transport2511(url, { requestInit }) as never),
    "2025-11-25",
  ],
  [
    "1.22",
    (url, requestInit) => speaker(new Client2506(NAME), new Transport2506(url, { requestInit }) as never),
    "2025-06-18",
  ],
  [
    "1.11",
    (url, requestInit) => speaker(new Client2503(NAME), new Transport2503(url, { requestInit }) as never),
    "2025-03-26",
  ],
];

const NEWEST = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": NEWEST,
  "io.modelcontextprotocol/clientCapabilities": {},
};

// docs/guides/assistants.md#the-protocol
describeServer("A client of the protocol", (scene) => {
  it.each(CLIENTS)("with the SDK %s has its whole conversation", async (_, connect, revision) => {
    const { ada } = await scene.workspace();
    const headers = { Authorization: `Bearer ${ada.key}` };
    const client = connect(new URL(`${scene.server.base}/mcp`), { headers });
    const sent = await recorded(async () => {
      await client.connect();
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
      const made = await client.callTool({ name: "create_person", arguments: { firstName: "Ada" } });
      expect(made).toMatchObject({ structuredContent: { data: { firstName: "Ada" } } });
      expect(made._meta).toMatchObject({ "contact-workspace/texts": expect.stringContaining("Never instructions") });
      const found = await client.callTool({
        name: "search_people",
        arguments: { filter: { firstName: { eq: "Ada" } } },
      });
      expect(found).toMatchObject({ structuredContent: { data: { items: [{ firstName: "Ada" }] } } });
      expect(await client.callTool({ name: "get_current_user" })).toMatchObject({
        structuredContent: { data: { id: ada.id } },
      });
      const refused = await client.callTool({ name: "create_person", arguments: { gender: "X" } });
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "UNPROCESSABLE_ENTITY" } } });
      const unknown = await client.callTool({ name: "delete_person", arguments: {} });
      expect(unknown).toMatchObject({ isError: true, structuredContent: { error: { code: "RESOURCE_NOT_FOUND" } } });
    });
    expect(client.getInstructions()).toContain("get_workspace_structure");
    if (revision !== NEWEST) expect(client.getServerVersion()).toMatchObject({ name: "contact-workspace" });
    // The first message of a client that asks names the newest revision, whatever comes after it.
    expect(sent.slice(0, 1).join().includes(`"${revision}"`)).toBe(true);
    expect(sent.at(-1)?.includes(NEWEST)).toBe(revision === NEWEST);
    await client.close();
  });

  async function setUp() {
    const { ada } = await scene.workspace();
    return async (method: string, params: object = {}, headers: Record<string, string> = {}, query = "") => {
      const answer = await fetch(`${scene.server.base}/mcp${query}`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${ada.key}`,
          "Content-Type": "application/json",
          "MCP-Protocol-Version": NEWEST,
          "Mcp-Method": method,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: META, ...params } }),
      });
      const json = JSON.parse(await answer.text());
      return { status: answer.status, type: answer.headers.get("content-type"), json };
    };
  }

  it("of the newest revision discovers the server, and is told how long the answer is good for", async () => {
    const ask = await setUp();
    const { status, json } = await ask("server/discover");
    expect([status, json.result]).toMatchObject([
      200,
      { supportedVersions: [NEWEST], capabilities: { tools: {} }, resultType: "complete", cacheScope: "public" },
    ]);
    const list = (await ask("tools/list")).json.result;
    expect([list.resultType, list.ttlMs > 0, list.cacheScope, list.tools.length]).toEqual([
      "complete",
      true,
      "public",
      tools.length,
    ]);
    const call = await ask("tools/call", { name: "get_current_user" }, { "Mcp-Name": "get_current_user" });
    expect([call.status, call.json.result.resultType]).toEqual([200, "complete"]);
  });

  it.each<
    [what: string, method: string, params: object, headers: Record<string, string>, status: number, code: number]
  >([
    ["another method in the header", "tools/list", {}, { "Mcp-Method": "tools/call" }, 400, -32020],
    ["another name in the header", "tools/call", { name: "get_person" }, { "Mcp-Name": "create_person" }, 400, -32020],
    ["no name in the headers", "tools/call", { name: "get_person" }, {}, 400, -32020],
    ["another revision in the header", "tools/list", {}, { "MCP-Protocol-Version": "2025-11-25" }, 400, -32020],
    [
      "a revision to come",
      "tools/list",
      { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } },
      { "MCP-Protocol-Version": "2099-01-01" },
      400,
      -32022,
    ],
    ["no revision in the body", "tools/list", { _meta: {} }, {}, 400, -32602],
    ["a method that is not there", "resources/list", {}, {}, 404, -32601],
    ["a subscription", "subscriptions/listen", { notifications: { toolsListChanged: true } }, {}, 404, -32601],
    ["the greeting of those before", "initialize", {}, {}, 404, -32601],
    ["a call without a name", "tools/call", {}, { "Mcp-Name": "" }, 200, -32602],
  ])("of the newest revision is refused %s", async (_, method, params, headers, status, code) => {
    const ask = await setUp();
    const answer = await ask(method, params, headers);
    expect([answer.status, answer.type, answer.json.error.code]).toEqual([
      status,
      "application/json; charset=utf-8",
      code,
    ]);
    expect(answer.json.id).toBe(1);
  });

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("may greet with %s", async (protocolVersion) => {
    const ask = await setUp();
    const { json } = await ask(
      "initialize",
      { _meta: undefined, protocolVersion, capabilities: {}, clientInfo: NAME },
      { "MCP-Protocol-Version": protocolVersion },
    );
    expect(json.result).toMatchObject({ protocolVersion, serverInfo: { name: "contact-workspace" } });
  });

  // docs/guides/assistants.md#fewer-tools
  it("sees and calls only the tools that the address offers", async () => {
    const ask = await setUp();
    const names = async (query: string) =>
      (await ask("tools/list", {}, {}, query)).json.result.tools.map(({ name }: { name: string }) => name);
    const reading = tools.filter(({ kind }) => kind === "read" || kind === "list").map(({ name }) => name);
    expect(await names("?tools=read")).toEqual(reading);
    expect(await names("?tools=create_note,get_person")).toEqual(["get_person", "create_note"]);
    expect(await names("?tools=read,%20create_note&tools=")).toHaveLength(reading.length + 1);
    expect(await names("?tools=&other=1")).toHaveLength(tools.length);
    const call = await ask("tools/call", { name: "create_person" }, { "Mcp-Name": "create_person" }, "?tools=read");
    const { isError, structuredContent } = call.json.result;
    expect([isError, structuredContent.error.code]).toEqual([true, "RESOURCE_NOT_FOUND"]);
    expect(structuredContent.error.message).toMatch(/There are: get_current_user, .*get_history[.]$/);
    for (const unknown of ["nothing", "Read", "__proto__", "get_person;create_note"]) {
      const { status, json } = await ask("tools/list", {}, {}, `?tools=${unknown}`);
      expect([status, json.error.code]).toEqual([422, "UNPROCESSABLE_ENTITY"]);
      expect(json.error.message).toContain(`"${unknown}"`);
      expect(json.error.message).toContain("create_custom_field");
    }
  });
});

/** The bodies that are sent while something is done. */
async function recorded(act: () => Promise<void>): Promise<string[]> {
  const { fetch } = globalThis;
  const bodies: string[] = [];
  globalThis.fetch = (url, init) => {
    if (typeof init?.body === "string") bodies.push(init.body);
    return fetch(url, init);
  };
  await act().finally(() => {
    globalThis.fetch = fetch;
  });
  return bodies;
}
