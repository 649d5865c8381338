import type { TraceContext } from "./trace-context.ts";

type Attributes = Record<string, string | number>;

/** The beginning of a span. */
export interface SpanStart {
  name: string;
  kind: "server" | "client" | "internal";
  attributes: Attributes;
  /** The span of another process that it continues. */
  parent?: TraceContext | undefined;
  /** The trace that it begins. It has neither this nor a parent if it is part of the span of the running code. */
  traceId?: string;
}

/** Outcome of a span. */
export interface SpanEnd {
  attributes?: Attributes;
  /** Class of the failure, which tells nothing of what a client sent; undefined after success. */
  errorType?: string | undefined;
}

export interface Span {
  /** Its context, for what it calls. */
  context: TraceContext;
  end(end?: SpanEnd): void;
}

/** Records spans (cli/tracing.ts). */
export interface Tracer {
  begin(start: SpanStart): Span;
  /** Runs work as part of a span, and what it waits for too. */
  within<Result>(span: Span, work: () => Result): Result;
  /** Whether the running code is part of a span that is recorded. */
  isRecording(): boolean;
}

let inUse: Tracer | undefined;

/** Sets the tracer of this process; undefined ends tracing. */
export function useTracer(tracer: Tracer | undefined): void {
  inUse = tracer;
}

/** The tracer of this process; undefined while nothing is traced, as it is by default. */
export function tracerInUse(): Tracer | undefined {
  return inUse;
}

/**
 * Runs work in a span, which ends with it.
 * @param outcome of a result; a span whose work throws ends with the name or code of the error
 */
export async function inSpan<Result>(
  tracer: Tracer,
  start: SpanStart,
  work: (context: TraceContext) => Promise<Result>,
  outcome?: (result: Result) => SpanEnd,
): Promise<Result> {
  const span = tracer.begin(start);
  try {
    const result = await tracer.within(span, () => work(span.context));
    span.end(outcome?.(result));
    return result;
  } catch (error) {
    span.end({ errorType: errorTypeOf(error) });
    throw error;
  }
}

/** The type, code or name of an error, as spans tell it. */
export function errorTypeOf(error: unknown): string {
  const { type, code, name }: { type?: unknown; code?: unknown; name?: unknown } = Object(error);
  return String(type ?? code ?? name ?? "error");
}
