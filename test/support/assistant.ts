import { expect } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Item } from "./client.ts";
import type { TestServer } from "./server.ts";

/** The body that a tool gave, that of the REST API, and whether it is that of an error. */
export interface ToolAnswer {
  isError: boolean;
  body: unknown;
  /** Of a success with one thing. */
  readonly data: Item;
  /** Of a list. */
  readonly items: Item[];
  readonly nextLink: string | undefined;
  /** Of bulk tools. */
  readonly results: { id: string | null; status: string; error?: { code: string } }[];
  readonly error: {
    code: string;
    message: string;
    details?: { issues?: { code: string; path: string[]; message: string }[] };
  };
}

export interface Assistant {
  client: Client;
  call(tool: string, args?: object): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/**
 * An assistant that has asked the server with this key for its revision of the protocol, as the official client does
 * it.
 * @param padding number of blanks behind each message: a long one is read in a worker
 * @param query of the address
 */
export async function assistant(
  { base }: Pick<TestServer, "base">,
  key: string,
  { padding = 0, query = "" }: { padding?: number; query?: string } = {},
): Promise<Assistant> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp${query}`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
    fetch: (url, init) =>
      globalThis.fetch(url, init?.body ? { ...init, body: `${init.body}${" ".repeat(padding)}` } : init),
  });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: { ...args } });
      const [content] = result.content as { type: string; text: string }[];
      expect([content?.type, JSON.parse(content?.text ?? "")]).toEqual(["text", result.structuredContent]);
      return toAnswer(result.structuredContent, result.isError === true);
    },
    close: () => client.close(),
  };
}

function toAnswer(body: unknown, isError: boolean): ToolAnswer {
  const { data, error } = body as { data?: Record<string, unknown>; error?: ToolAnswer["error"] };
  const of = <T>(value: unknown): T => {
    if (value === undefined) throw new Error(`A tool answered ${JSON.stringify(body).slice(0, 1000)}`);
    return value as T;
  };
  return {
    isError,
    body,
    get data() {
      return of<Item>(data);
    },
    get items() {
      return of<Item[]>(data?.items);
    },
    get nextLink() {
      return of<{ nextLink?: string }>(data?.pagination).nextLink;
    },
    get results() {
      return of<ToolAnswer["results"]>(data?.results);
    },
    get error() {
      return of<ToolAnswer["error"]>(error);
    },
  };
}
