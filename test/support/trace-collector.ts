import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A span, as it was sent. */
export interface SentSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  traceState: string;
  name: string;
  /** Number of the protocol: 1 is internal, 2 a server, 3 a client. */
  kind: number;
  attributes: Record<string, string | number>;
  /** 2 for an error. */
  status: number;
}

/** A collector of OpenTelemetry that takes traces over OTLP/HTTP and keeps them. */
export interface TraceCollector {
  url: string;
  spans: SentSpan[];
  /** Headers of the last request. */
  headers(): IncomingHttpHeaders;
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: SentSpan[] = [];
  let headers: IncomingHttpHeaders = {};
  const take = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url !== "/collector/v1/traces") throw new Error(`Traces were sent to ${request.url}`);
    headers = request.headers;
    spans.push(...spansOf(Buffer.concat(chunks)));
  };
  const server = createServer((request, response) => void take(request).finally(() => response.end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/collector`,
    spans,
    headers: () => headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// The messages of OTLP by the numbers of their fields: opentelemetry/proto/trace/v1/trace.proto.

function spansOf(request: Buffer): SentSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const service = attributesOf(messages(resourceSpans, 1)[0] ?? Buffer.alloc(0), 1)["service.name"] ?? "";
    const sent = messages(resourceSpans, 2).flatMap((scopeSpans) => messages(scopeSpans, 2));
    return sent.map((span) => ({ service: String(service), ...spanOf(span) }));
  });
}

function spanOf(span: Buffer): Omit<SentSpan, "service"> {
  const bytes = (field: number) => messages(span, field)[0] ?? Buffer.alloc(0);
  const [kind = 0] = numbers(span, 6);
  const [status = 0] = numbers(bytes(15), 3);
  return {
    traceId: bytes(1).toString("hex"),
    spanId: bytes(2).toString("hex"),
    traceState: bytes(3).toString(),
    parentId: bytes(4).toString("hex"),
    name: bytes(5).toString(),
    kind,
    attributes: attributesOf(span, 9),
    status,
  };
}

function attributesOf(message: Buffer, field: number): Record<string, string | number> {
  const pairs = messages(message, field).map((pair): [string, string | number] => {
    const [key = Buffer.alloc(0)] = messages(pair, 1);
    const [value = Buffer.alloc(0)] = messages(pair, 2);
    return [key.toString(), messages(value, 1)[0]?.toString() ?? numbers(value, 3)[0] ?? Number.NaN];
  });
  return Object.fromEntries(pairs);
}

/** The fields of a message in the encoding of Protocol Buffers: a number for each varint, and bytes. */
function* fieldsOf(message: Buffer): Generator<[field: number, value: number | Buffer]> {
  let at = 0;
  const varint = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  };
  const take = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = varint();
    const type = key & 7;
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : varint());
    yield [key >> 3, value];
  }
}

function messages(message: Buffer, field: number): Buffer[] {
  return [...fieldsOf(message)].flatMap(([one, value]) => (one === field && Buffer.isBuffer(value) ? [value] : []));
}

function numbers(message: Buffer, field: number): number[] {
  return [...fieldsOf(message)].flatMap(([one, value]) => (one === field && typeof value === "number" ? [value] : []));
}
