/** A refusal with a one-sentence message for the operator who typed the command. */
export class Refused extends Error {}
