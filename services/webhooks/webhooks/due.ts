/** The event that wakes those who send deliveries, on all nodes. */
export const DUE = "webhooks.due";
