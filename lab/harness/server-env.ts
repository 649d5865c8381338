/**
 * The environment of servers under test. Links are made from PUBLIC_URL, so it differs from where the server listens;
 * limits are off but in the tests about them.
 */
export const TEST_ENV = {
  PUBLIC_URL: "https://contacts.example.test",
  RATE_LIMITS: "off",
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? "fatal",
};
