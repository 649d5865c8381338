import { namedValues, oneOf, plainName, share, webAddress } from "./env-values.ts";
import { optional, withDefault } from "./env-variable.ts";

/**
 * The variables of OpenTelemetry that the server reads, by their standard names.
 * docs/guides/monitoring.md#opentelemetry
 */
export const TRACING_VARIABLES = {
  otelEndpoint: optional({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    kind: webAddress,
    meaning:
      "address of an OpenTelemetry collector that gets traces over OTLP/HTTP, at `/v1/traces` below it; unset: off",
  }),
  otelProtocol: withDefault({
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    kind: oneOf(["http/protobuf"]),
    default: "http/protobuf",
    meaning: "protocol of the collector; gRPC is not spoken, use its port for HTTP, mostly 4318",
  }),
  otelHeaders: optional({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    mayBeFile: true,
    kind: namedValues,
    meaning: "headers that are sent with traces, like a key of the collector",
    isSecret: true,
  }),
  otelServiceName: withDefault({
    name: "OTEL_SERVICE_NAME",
    kind: plainName,
    default: "contact-workspace",
    meaning: "name of the server in traces",
  }),
  otelResourceAttributes: optional({
    name: "OTEL_RESOURCE_ATTRIBUTES",
    kind: namedValues,
    meaning: "further attributes of the process in traces, like `deployment.environment.name`",
  }),
  otelSampler: withDefault({
    name: "OTEL_TRACES_SAMPLER",
    kind: oneOf([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ]),
    default: "parentbased_always_on",
    meaning: "traces that are recorded; `parentbased_…`: a client that sends a `traceparent` has decided it",
  }),
  otelSamplerArg: optional({
    name: "OTEL_TRACES_SAMPLER_ARG",
    kind: share,
    meaning: "part of the traces that `traceidratio` and `parentbased_traceidratio` record; unset: all",
  }),
};

/**
 * Faults of variables for traces that are valid each by itself.
 * @param values those that are set, or have a default, by the names the code uses
 */
export function faultsOfTracing(values: ReadonlyMap<string, unknown>): string[] {
  if (!values.has("otelSamplerArg") || String(values.get("otelSampler")).endsWith("traceidratio")) return [];
  return [
    "OTEL_TRACES_SAMPLER_ARG is set, but OTEL_TRACES_SAMPLER takes no part of the traces. Set it to parentbased_traceidratio.",
  ];
}
