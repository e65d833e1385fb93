/** The message of a refusal is one sentence for the operator who typed the command. */
export class Refused extends Error {}
