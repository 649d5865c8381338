import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { setGlobalErrorHandler, TraceState } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { type TraceContext, traceIdOf } from "../base/tracing/trace-context.ts";
import { type Span, type SpanStart, type Tracer, useTracer } from "../base/tracing/tracer.ts";
import type { Log } from "../bus/logger.ts";
import type { Env } from "../config/env.ts";
import { release } from "../config/release.ts";

// Only a process with OTEL_EXPORTER_OTLP_ENDPOINT imports this file, and with it the SDK of OpenTelemetry.
// docs/decisions/0018-operations.md#traces

export interface Tracing {
  /** Sends what is recorded, as far as the collector takes it soon, and ends tracing. */
  stop(): Promise<void>;
}

type Settings = Pick<
  Env,
  "otelHeaders" | "otelServiceName" | "otelResourceAttributes" | "otelSampler" | "otelSamplerArg"
>;

/** Longest time that a stop waits for the collector. */
const FLUSH_MS = 2_000;
/** Shortest interval between two lines about traces that the collector did not take. */
const FAILURES_TOLD_MS = 60_000;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Traces what this process does, and sends the spans to a collector. A collector that is away costs spans, and nothing
 * waits for it. docs/guides/monitoring.md#traces
 */
export function startTracing(settings: Settings, endpoint: string, log: Log): Tracing {
  tellOfFailures(log);
  const ids = new RandomIdGenerator();
  let begunTraceId: string | undefined;
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), headers: settings.otelHeaders ?? {} });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.version": release(),
      "service.instance.id": randomUUID(),
      ...settings.otelResourceAttributes,
      "service.name": settings.otelServiceName,
    }),
    sampler: samplerOf(settings),
    idGenerator: {
      generateTraceId: () => begunTraceId ?? ids.generateTraceId(),
      generateSpanId: () => ids.generateSpanId(),
    },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const spans = provider.getTracer("contact-workspace", release());
  const running = new AsyncLocalStorage<OpenSpan>();

  function begin({ name, kind, attributes, parent, traceId }: SpanStart): Span {
    begunTraceId = traceId;
    try {
      const isBegun = traceId !== undefined;
      const context = parent ? contextOf(parent) : isBegun ? ROOT_CONTEXT : running.getStore()?.within;
      const span = spans.startSpan(name, { kind: KINDS[kind], attributes }, context ?? ROOT_CONTEXT);
      return new OpenSpan(span);
    } finally {
      begunTraceId = undefined;
    }
  }

  const tracer: Tracer = {
    begin,
    within: (span, work) => running.run(span as OpenSpan, work),
    isRecording: () => running.getStore()?.isRecording() ?? false,
  };
  useTracer(tracer);

  return {
    async stop() {
      useTracer(undefined);
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

type SdkSpan = ReturnType<ReturnType<TracerProvider["getTracer"]>["startSpan"]>;

/** A span of the SDK, with the context for what runs in it and for what it calls. */
class OpenSpan implements Span {
  readonly within: Context;
  readonly context: TraceContext;
  readonly #span: SdkSpan;

  constructor(span: SdkSpan) {
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    const tracestate = traceState?.serialize();
    this.#span = span;
    this.within = trace.setSpan(ROOT_CONTEXT, span);
    this.context = {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags}`,
      ...(tracestate && { tracestate }),
    };
  }

  isRecording(): boolean {
    return this.#span.isRecording();
  }

  end({
    attributes,
    errorType,
  }: {
    attributes?: Record<string, string | number>;
    errorType?: string | undefined;
  } = {}) {
    if (attributes) this.#span.setAttributes(attributes);
    if (errorType !== undefined) {
      this.#span.setAttribute("error.type", errorType);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** The context of a span of another process. */
function contextOf(parent: TraceContext): Context {
  const { traceparent, tracestate } = parent;
  const spanContext: SpanContext = {
    traceId: traceIdOf(parent),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53), 16) & 1,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: new TraceState(tracestate) }),
  };
  return trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

function samplerOf({ otelSampler, otelSamplerArg = 1 }: Settings): Sampler {
  const [, isParentBased, name] = /^(parentbased_)?(.*)$/.exec(otelSampler) ?? [];
  const root =
    name === "always_on"
      ? new AlwaysOnSampler()
      : name === "always_off"
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(otelSamplerArg);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/** Address for traces below that of the collector, as OpenTelemetry defines it. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return url.href;
}

function tellOfFailures(log: Log): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - toldAt < FAILURES_TOLD_MS) return;
    toldAt = performance.now();
    const message = typeof error === "string" ? error : (error as Error).message;
    log("warn", "tracing", ["Traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT:", message]);
  });
}
