/** Seconds in which a second user may answer. */
export const approvalTimeoutSeconds = 120
