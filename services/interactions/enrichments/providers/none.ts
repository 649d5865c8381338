import type { Provider } from "./provider.ts";

/** The provider of a server without one. docs/guides/enrichment.md#providers */
export const none: Provider = async () => ({
  failed: {
    code: "PROVIDER_NOT_CONFIGURED",
    message:
      "This server has no enrichment provider. The person who runs it can set ENRICHMENT_PROVIDER to http and ENRICHMENT_URL to its address.",
  },
});
