import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

const ROOT = join(import.meta.dirname, "..", "..");

/** What speaks HTTP without the client of the tests, with the reason. */
const KNOWN: Record<string, string> = {
  "test/support/client.ts": "it is the client, and checks each answer",
  "test/support/event-reader.ts": "a stream has no end; its head and its events are checked",
  "test/support/walkers.ts": "probes have no JSON; it sends requests by the client",
  "test/http/overload.slow.test.ts": "it looks at connections, and checks each answer",
  "test/http/compression.test.ts": "it looks at the bytes, and compares their texts",
  "test/http/unread-answers.slow.test.ts": "it asks and does not read",
  "test/http/idempotency-races.test.ts": "it sends requests in pieces, or leaves before the answer is there",
  "test/http/away.slow.test.ts": "probes have no JSON",
  "test/http/docs.test.ts": "pages and the document itself have no JSON of the API",
  "test/http/guides.test.ts": "pages have no JSON",
  "test/http/assistant-endpoint.test.ts": "messages of assistants have a form of their own",
  "test/http/assistant-arguments.test.ts": "messages of assistants have a form of their own",
  "test/cli/start.test.ts": "a process that starts answers no operation yet",
  "packages/client/test/faulty-proxy.ts": "it passes on what the client of users asks, and checks each answer",
  "packages/client/test/package.slow.test.ts": "it asks a receiver of webhooks",
  "test/docs/self-hosting-machine.slow.test.ts": "the server is one that the guide sets up",
  "test/house/nats-config.test.ts": "it asks the monitor of NATS",
  "test/docs/detour.ts": "it passes on what curl and Python ask, whose output is compared",
  "test/pages/pages.slow.test.ts": "pages have no JSON",
  "test/docs/links.test.ts": "pages have no JSON",
  "test/services/gateway/event-streams.test.ts": "the server is one of its own",
  "test/services/gateway/mcp/revisions.test.ts":
    "messages of assistants have a form of their own, which the official clients check",
  "test/services/gateway/observation/access-log.test.ts": "it leaves before the answer is there",
  "test/services/gateway/admission/at-rest.test.ts": "it leaves before the answer is there",
  "test/services/gateway/connection/chunks.slow.test.ts": "the server is one of its own",
  "test/services/gateway/connection/connections.test.ts": "a plain server, and clients that are idle",
  "test/services/gateway/connection/listeners.test.ts": "the server is one of its own",
  "test/services/gateway/connection/raw-requests.slow.test.ts": "bytes that no client sends, checked by raw-answer.ts",
  "test/lab/harness/network-proxy.test.ts": "a server and clients of bytes",
  "test/lab/harness/connection.test.ts": "the server is one of its own",
  "test/database/unreadable.test.ts": "it passes on what a database says, spoiled",
};

const SPEAKS =
  /(?<![.\w])fetch\(|\brequest as send\b|\bget\b.*from "node:http"|\bconnect\b.*from "node:net"|\bopenStream\(|\bharness\/(api|connection|load)[.]ts"/;

// docs/guides/conventions.md#the-openapi-document
it("every test asks the server by a client that checks its answers against the OpenAPI document", () => {
  const files = globSync("{test,packages/*/test}/**/*.ts", { cwd: ROOT })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name !== "test/house/checked-answers.test.ts");
  const speaking = files.filter((name) => SPEAKS.test(readFileSync(join(ROOT, name), "utf8")));
  expect(speaking.sort()).toEqual(Object.keys(KNOWN).sort());
});
