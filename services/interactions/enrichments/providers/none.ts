import type { Provider } from "./provider.ts";

/** The provider of a server without one. docs/guides/enrichment.md#providers */
export const none: Provider = async () => ({
  failed: {
    code: "PROVIDER_NOT_CONFIGURED",
    message:
      "This server has no enrichment provider. Whoever runs it configures one by setting ENRICHMENT_PROVIDER to http and ENRICHMENT_URL to its address.",
  },
});
